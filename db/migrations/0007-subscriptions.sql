create table plan (
  id integer generated always as identity constraint plan_pkey primary key,
  name text not null constraint plan_name_length check (length(name) between 1 and 200),
  description text constraint plan_description_length check (length(description) <= 2000),
  price numeric(12, 2) not null constraint plan_price_not_negative check (price >= 0),
  currency text not null default 'USD' constraint plan_currency_known check (currency in ('USD', 'CDF')),
  billing_period text not null default 'MONTHLY' constraint plan_period_known check (billing_period in ('MONTHLY', 'YEARLY')),
  is_active boolean not null default true,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
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
create index subscription_by_user on subscription (user_id, end_date);
create index subscription_by_plan on subscription (plan_id);

create table payment (
  id integer generated always as identity constraint payment_pkey primary key,
  subscription_id integer not null constraint payment_subscription_fkey references subscription,
  amount numeric(12, 2) not null constraint payment_amount_positive check (amount > 0),
  currency text not null default 'USD' constraint payment_currency_known check (currency in ('USD', 'CDF')),
  status text not null default 'PENDING'
    constraint payment_status_known check (status in ('PENDING', 'PAID', 'FAILED', 'REFUNDED')),
  payment_method text not null default 'VISA'
    constraint payment_method_known check (payment_method in ('VISA', 'MOBILE_MONEY', 'CASH')),
  transaction_ref text constraint payment_transaction_ref_length check (length(transaction_ref) <= 200),
  authorization_code text constraint payment_authorization_code_length check (length(authorization_code) <= 200),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index payment_by_subscription on payment (subscription_id);
create index payment_by_day on payment (created_at, id);

create trigger plan_touch before update on plan for each row execute function touch_updated_at();
create trigger subscription_touch before update on subscription for each row execute function touch_updated_at();
create trigger payment_touch before update on payment for each row execute function touch_updated_at();

-- A subscription opens or closes the doors of its user at once.
create trigger subscription_access after insert or update or delete on subscription
  for each row execute function notify_access_changed();
