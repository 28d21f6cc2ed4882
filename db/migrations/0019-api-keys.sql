-- Keys of programs: who calls without a session, with which part of the owner's rights.
create table api_key (
  id integer generated always as identity constraint api_key_pkey primary key,
  user_id integer not null constraint api_key_user_fkey references app_user on delete cascade,
  name text not null constraint api_key_name_length check (length(name) between 1 and 100),
  -- SHA-256: the key itself is shown once and never stored.
  hash bytea not null constraint api_key_hash_key unique,
  -- Its visible ends, by which its owner recognises it.
  prefix text not null constraint api_key_prefix_length check (length(prefix) between 1 and 40),
  -- Permissions; what the key may do is what its owner may do, and these name.
  scopes text[] not null constraint api_key_scopes_count check (cardinality(scopes) between 1 and 20),
  -- The version of the API that it was made for.
  version date not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
create index api_key_user on api_key (user_id);
-- Every process forgets the key at once.
create trigger api_key_access after update of revoked_at or delete on api_key
  for each row execute function notify_access_changed();

-- How much the keys of an account have called in the current minute and the current month of Kinshasa, what processes hold
-- as a lease included.
create table api_usage (
  user_id integer not null constraint api_usage_user_fkey references app_user on delete cascade,
  "window" text not null constraint api_usage_window_known check ("window" in ('minute', 'month')),
  starts_at timestamptz not null,
  used integer not null constraint api_usage_used_positive check (used >= 0),
  constraint api_usage_pkey primary key (user_id, "window")
);

-- Calls of a key on a day of Kinshasa, for its owner to read; the quota does not depend on it.
create table api_call (
  key_id integer not null constraint api_call_key_fkey references api_key on delete cascade,
  day date not null,
  calls integer not null constraint api_call_calls_positive check (calls > 0),
  constraint api_call_pkey primary key (key_id, day)
);

-- How much a plan comprises.
alter table plan
  add column calls_per_minute integer not null default 60
    constraint plan_calls_per_minute_range check (calls_per_minute between 0 and 10000),
  add column calls_per_month integer not null default 10000
    constraint plan_calls_per_month_range check (calls_per_month between 0 and 100000000);
