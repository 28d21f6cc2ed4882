-- A second proof of who signs in: a code that an application on a telephone makes every 30 seconds (RFC 6238).
create table second_factor (
  user_id integer not null constraint second_factor_pkey primary key
    constraint second_factor_user_fkey references app_user on delete cascade,
  secret bytea not null,
  -- Null until a first code has shown that the application has the secret.
  confirmed_at timestamptz(3),
  -- The last 30 seconds whose code was taken: each serves once.
  last_step bigint not null default 0
);

-- Only SHA-256 hashes; each code serves once.
create table recovery_code (
  user_id integer not null constraint recovery_code_user_fkey references second_factor on delete cascade,
  hash bytea not null,
  constraint recovery_code_pkey primary key (user_id, hash)
);
