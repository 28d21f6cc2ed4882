-- A transfer that was recorded by mistake is cancelled by a second entry of the same amount with the opposite sign, which says why; its
-- reference may then be recorded again.
alter table transfer_receipt
  add column cancels_id integer constraint transfer_receipt_cancels_unique unique
    constraint transfer_receipt_cancels_fkey references transfer_receipt,
  add column reason text constraint transfer_receipt_reason_length check (length(reason) between 1 and 500),
  add column is_cancelled boolean not null default false,
  drop constraint transfer_receipt_amount_positive,
  add constraint transfer_receipt_amount_signed check ((amount > 0) = (cancels_id is null) and amount <> 0),
  add constraint transfer_receipt_cancelled_why check ((cancels_id is null) = (reason is null)),
  drop constraint transfer_receipt_once;
create unique index transfer_receipt_once on transfer_receipt (order_id, bank_reference)
  where cancels_id is null and not is_cancelled;
create index transfer_receipt_by_order on transfer_receipt (order_id, id);
