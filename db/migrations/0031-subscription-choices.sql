-- What a subscriber says of the subscription that he has: he does not renew it, and why; or which plan is to follow.
alter table subscription
  add column canceled_at timestamptz(3),
  add column cancel_reason text constraint subscription_cancel_reason_known
    check (cancel_reason in ('PRICE', 'UNUSED', 'COVERAGE', 'QUALITY', 'FINISHED', 'OTHER')),
  add column cancel_note text constraint subscription_cancel_note_length check (length(cancel_note) <= 500),
  add column next_plan_id integer constraint subscription_next_plan_fkey references plan on delete set null;
create index subscription_by_next_plan on subscription (next_plan_id) where next_plan_id is not null;
