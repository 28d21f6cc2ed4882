-- Pages that users share with people who have no account: what is shown, as it was then or as it is.
create table share (
  id bigint generated always as identity constraint share_pkey primary key,
  -- What its address carries.
  token text not null constraint share_token_key unique constraint share_token_form check (token ~ '^[0-9A-Za-z]{6,20}$'),
  user_id integer not null constraint share_user_fkey references app_user on delete cascade,
  product_id integer not null constraint share_product_fkey references product on delete cascade,
  market_id integer not null constraint share_market_fkey references market on delete cascade,
  -- The figures as they were when it was made; null for those of today.
  frozen jsonb,
  views bigint not null default 0,
  created_at timestamptz(3) not null default now()
);
create index share_by_user on share (user_id, created_at);
create index share_by_product on share (product_id);
create index share_by_market on share (market_id);
