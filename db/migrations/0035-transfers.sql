-- What an organisation is to pay by bank transfer: its reference stands on a pro-forma and on the transfer. What the bank received for it
-- is recorded by our team; it becomes a payment once it is whole, and what is over stays the credit of whoever sent it.
alter table payment
  drop constraint payment_method_known,
  add constraint payment_method_known check (payment_method in ('VISA', 'MOBILE_MONEY', 'CASH', 'TRANSFER'));

create table transfer_order (
  id integer generated always as identity primary key,
  reference text not null generated always as ('VIR-' || lpad(id::text, greatest(6, length(id::text)), '0')) stored
    constraint transfer_order_reference_unique unique,
  user_id integer not null references app_user,
  plan_id integer not null references plan,
  billing_period text not null,
  amount numeric(14,2) not null constraint transfer_order_amount_positive check (amount > 0),
  currency text not null,
  payment_id integer constraint transfer_order_payment_unique unique references payment,
  created_at timestamptz(3) not null default now()
);
create index transfer_order_by_user on transfer_order (user_id, id);
create index transfer_order_by_plan on transfer_order (plan_id);

create table transfer_receipt (
  id integer generated always as identity primary key,
  order_id integer not null references transfer_order,
  amount numeric(14,2) not null constraint transfer_receipt_amount_positive check (amount > 0),
  bank_reference text not null constraint transfer_receipt_bank_reference_length check (length(bank_reference) <= 100),
  received_on date not null,
  created_at timestamptz(3) not null default now(),
  constraint transfer_receipt_once unique (order_id, bank_reference)
);
