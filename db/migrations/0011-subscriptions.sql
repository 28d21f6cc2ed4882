-- Plans, subscriptions, payments and the free fortnight.
create table plan (
  id integer generated always as identity constraint plan_pkey primary key,
  name text not null constraint plan_name_length check (length(name) between 1 and 200),
  description text constraint plan_description_length check (length(description) <= 2000),
  price numeric(14, 2) not null constraint plan_price_not_negative check (price >= 0),
  currency text not null default 'USD' constraint plan_currency_known check (currency in ('USD', 'CDF')),
  billing_period text not null default 'MONTHLY' constraint plan_period_known check (billing_period in ('MONTHLY', 'YEARLY')),
  is_active boolean not null default true,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  features text[] not null
    default array['BASIC_DATA', 'REALTIME_DATA', 'PRICE_ALERTS', 'ADVANCED_ANALYSIS', 'PRIORITY_SUPPORT', 'CUSTOM_REPORTS']
    constraint plan_features_known check (
      features <@ array['BASIC_DATA', 'REALTIME_DATA', 'PRICE_ALERTS', 'ADVANCED_ANALYSIS', 'PRIORITY_SUPPORT', 'CUSTOM_REPORTS']
    )
);
create unique index plan_name_key on plan (fold(name));

create table subscription (
  id integer generated always as identity constraint subscription_pkey primary key,
  user_id integer not null constraint subscription_user_fkey references app_user on delete cascade,
  plan_id integer constraint subscription_plan_fkey references plan,
  start_date timestamptz(3) not null,
  end_date timestamptz(3) not null,
  status text not null default 'TRIAL'
    constraint subscription_status_known check (status in ('TRIAL', 'ACTIVE', 'EXPIRED', 'CANCELED')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint subscription_dates_ordered check (start_date < end_date)
);
-- What ends by its date.
create index subscription_by_end on subscription (end_date) where status in ('ACTIVE', 'TRIAL');
create index subscription_by_user on subscription (user_id, end_date);
create index subscription_by_plan on subscription (plan_id);

-- The dates of a subscription end it: EXPIRED is stored only where a person set it.
create function subscription_status(status text, end_date timestamptz) returns text
  stable language sql
  return case when status in ('ACTIVE', 'TRIAL') and end_date <= now() then 'EXPIRED' else status end;

-- A payment comes before the subscription that it pays for: it says who pays, and for what.
create table payment (
  id integer generated always as identity constraint payment_pkey primary key,
  subscription_id integer constraint payment_subscription_fkey references subscription,
  amount numeric(14, 2) not null constraint payment_amount_positive check (amount > 0),
  currency text not null default 'USD' constraint payment_currency_known check (currency in ('USD', 'CDF')),
  status text not null default 'PENDING'
    constraint payment_status_known check (status in ('PENDING', 'PAID', 'FAILED', 'REFUNDED')),
  payment_method text not null default 'VISA'
    constraint payment_method_known check (payment_method in ('VISA', 'MOBILE_MONEY', 'CASH')),
  transaction_ref text constraint payment_transaction_ref_length check (length(transaction_ref) <= 200),
  authorization_code text constraint payment_authorization_code_length check (length(authorization_code) <= 200),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  user_id integer not null constraint payment_user_fkey references app_user,
  plan_id integer constraint payment_plan_fkey references plan
);
create index payment_by_user on payment (user_id, id);
create index payment_by_plan on payment (plan_id);
create index payment_by_subscription on payment (subscription_id);
create index payment_by_day on payment (created_at, id);

-- The payment that opened a subscription: however often it is confirmed, it opens one.
alter table subscription
  add column payment_id integer constraint subscription_payment_fkey references payment
    constraint subscription_payment_key unique;

create trigger plan_touch before update on plan for each row execute function touch_updated_at();
create trigger subscription_touch before update on subscription for each row execute function touch_updated_at();
create trigger payment_touch before update on payment for each row execute function touch_updated_at();

-- Every change of a subscription is announced, so that all processes check access again at once.
create trigger subscription_access after insert or update or delete on subscription
  for each row execute function notify_access_changed();

-- What was agreed with a provider of mobile money about a payment. The id is ours, and exists before the provider is asked.
create table deposit (
  id uuid constraint deposit_pkey primary key,
  payment_id integer not null constraint deposit_payment_fkey references payment constraint deposit_payment_key unique,
  -- Digits alone, with those of the country.
  phone text not null constraint deposit_phone_digits check (phone ~ '^\d{9,15}$'),
  operator text not null constraint deposit_operator_known check (operator in ('MPESA', 'AIRTEL', 'ORANGE')),
  -- created: perhaps not sent yet; unverified: still without an answer after a long time; review: a person must look at it.
  state text not null default 'created'
    constraint deposit_state_known check (state in ('created', 'pending', 'succeeded', 'failed', 'unverified', 'review')),
  failure_code text constraint deposit_failure_code_length check (length(failure_code) <= 100),
  provider_ref text constraint deposit_provider_ref_length check (length(provider_ref) <= 200),
  -- When to ask the provider again; null ends it.
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

-- The answers to requests with an Idempotency-Key, so that one sent again has no second effect.
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

-- One spelling of the addresses that reach the same mailbox: case, what follows a « + », dots of Gmail and its other name.
create function canonical_address(address text) returns text
  immutable strict language sql
  return (
    with parts as (
      select regexp_replace(lower(address), '@[^@]*$', '') as whole, substring(lower(address) from '[^@]*$') as domain),
    untagged as (
      select regexp_replace(whole, '(.)\+.*$', '\1') as local, domain in ('gmail.com', 'googlemail.com') as is_gmail, domain
        from parts)
    select case when is_gmail then replace(local, '.', '') || '@gmail.com' else local || '@' || domain end from untagged);

-- Says that an address had its free fortnight, and nothing else, once the account that had it is closed: the fortnight is once
-- for a person, however he writes his address and whether or not he closed his account.
create table free_trial (
  -- Of the canonical address, with the key of this installation.
  hash bytea not null constraint free_trial_pkey primary key,
  -- Null once the account is closed.
  user_id integer constraint free_trial_user_fkey references app_user on delete set null,
  -- Until an account has confirmed the address, the fortnight goes to the account that confirms it.
  is_confirmed boolean not null
);
create index free_trial_user on free_trial (user_id);

-- Who loses it reads nothing more from then on.
create function notify_free_trial_lost() returns trigger
  language plpgsql as $$
begin
  perform pg_notify('access_changed', old.user_id::text);
  return null;
end
$$;
create trigger free_trial_access after update on free_trial
  for each row when (old.user_id is distinct from new.user_id and old.user_id is not null)
  execute function notify_free_trial_lost();

create function free_trial_hash(address text) returns bytea
  stable strict language sql
  return (select sha256(trial_key || sha256(trial_key || convert_to(canonical_address(address), 'UTF8'))) from installation);

create function note_free_trial() returns trigger
  language plpgsql as $$
begin
  insert into free_trial as trial (hash, user_id, is_confirmed)
  values (free_trial_hash(new.email), new.id, new.email_verified)
  on conflict (hash) do update set user_id = excluded.user_id, is_confirmed = true
   where excluded.is_confirmed and not trial.is_confirmed;
  return null;
end
$$;
-- The address of a closed account belongs to no person.
create trigger app_user_free_trial after insert or update of email, email_verified on app_user
  for each row when (new.email not like '%@compte.invalid') execute function note_free_trial();

-- « own »; « open » where it becomes his once he confirms his address; else « taken ».
create function free_trial_of(of_user integer) returns text
  stable language sql
  return case
    when exists (select from free_trial where user_id = of_user) then 'own'
    when exists (
      select from app_user join free_trial on hash = free_trial_hash(email)
       where app_user.id = of_user and not email_verified and not is_confirmed) then 'open'
    else 'taken' end;
