-- A payment comes before the subscription that it pays for: it knows who pays, and for what.
alter table plan alter column price type numeric(14, 2);
alter table payment
  alter column amount type numeric(14, 2),
  alter column subscription_id drop not null,
  add column user_id integer constraint payment_user_fkey references app_user,
  add column plan_id integer constraint payment_plan_fkey references plan;
update payment set user_id = subscription.user_id from subscription where subscription.id = subscription_id;
alter table payment alter column user_id set not null;
create index payment_by_user on payment (user_id, id);
create index payment_by_plan on payment (plan_id);

-- The payment that opened a subscription: however often its confirmation is told, it opens one.
alter table subscription
  add column payment_id integer constraint subscription_payment_fkey references payment
    constraint subscription_payment_key unique;
create index subscription_by_end on subscription (end_date) where status in ('ACTIVE', 'TRIAL');

-- What was agreed with a provider of mobile money about a payment. The id is ours, and known before the provider is asked.
create table deposit (
  id uuid constraint deposit_pkey primary key,
  payment_id integer not null constraint deposit_payment_fkey references payment constraint deposit_payment_key unique,
  -- Digits alone, with those of the country.
  phone text not null constraint deposit_phone_digits check (phone ~ '^\d{9,15}$'),
  operator text not null constraint deposit_operator_known check (operator in ('MPESA', 'AIRTEL', 'ORANGE')),
  -- created: perhaps not sent yet; unverified: nobody knows, after a long time; review: somebody must look at it.
  state text not null default 'created'
    constraint deposit_state_known check (state in ('created', 'pending', 'succeeded', 'failed', 'unverified', 'review')),
  failure_code text constraint deposit_failure_code_length check (length(failure_code) <= 100),
  provider_ref text constraint deposit_provider_ref_length check (length(provider_ref) <= 200),
  -- When to ask the provider again; nobody asks any more without it.
  next_check_at timestamptz(3),
  attempts integer not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index deposit_due on deposit (next_check_at) where next_check_at is not null;
create trigger deposit_touch before update on deposit for each row execute function touch_updated_at();

-- A reminder before the end of a subscription is sent once.
create table subscription_reminder (
  subscription_id integer not null
    constraint subscription_reminder_subscription_fkey references subscription on delete cascade,
  days smallint not null,
  sent_at timestamptz(3) not null default now(),
  constraint subscription_reminder_pkey primary key (subscription_id, days)
);

-- The answers to requests that bear an Idempotency-Key, so that one sent again has no second effect.
create table idempotent_request (
  user_id integer not null constraint idempotent_request_user_fkey references app_user on delete cascade,
  key text not null constraint idempotent_request_key_length check (length(key) between 1 and 255),
  -- Of the method, the path and the body.
  fingerprint bytea not null,
  answer jsonb,
  created_at timestamptz(3) not null default now(),
  constraint idempotent_request_pkey primary key (user_id, key)
);
create index idempotent_request_by_age on idempotent_request (created_at);
