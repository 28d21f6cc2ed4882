-- A payment may be for a plan that begins at once: the unused days of the period that it replaces are its credit.
alter table payment
  add column credit numeric(14, 2) not null default 0 constraint payment_credit_not_negative check (credit >= 0),
  add column replaces_id integer constraint payment_replaces_fkey references subscription;
create index payment_by_replaced on payment (replaces_id) where replaces_id is not null;

-- What replaced a period, and when it would have ended without that.
alter table subscription
  add column replaced_by integer constraint subscription_replaced_by_fkey references payment,
  add column replaced_end timestamptz(3),
  -- Our team has stopped it for a while: its days go on afterwards.
  add column paused_at timestamptz(3),
  add column pause_reason text constraint subscription_pause_reason_length check (length(pause_reason) <= 500),
  drop constraint subscription_status_known,
  add constraint subscription_status_known
    check (status in ('TRIAL', 'ACTIVE', 'PAUSED', 'EXPIRED', 'CANCELED')),
  add constraint subscription_pause_dated check ((status = 'PAUSED') = (paused_at is not null));
create index subscription_by_replacing on subscription (replaced_by) where replaced_by is not null;
