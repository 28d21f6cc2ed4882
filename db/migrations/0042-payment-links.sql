-- A link by which somebody without an account pays a plan for a subscriber, of whom it says nothing.
create table payment_link (
  id bigint generated always as identity constraint payment_link_pkey primary key,
  -- What its address carries.
  token text not null constraint payment_link_token_key unique constraint payment_link_token_form check (token ~ '^[0-9A-Za-z_-]{20,64}$'),
  user_id integer not null constraint payment_link_user_fkey references app_user on delete cascade,
  plan_id integer not null constraint payment_link_plan_fkey references plan on delete cascade,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index payment_link_by_user on payment_link (user_id, id);
create index payment_link_by_plan on payment_link (plan_id);

alter table payment
  add column link_id bigint constraint payment_link_fkey references payment_link on delete set null,
  -- Somebody else paid it: his number is not proposed to the subscriber.
  add column is_by_link boolean not null default false;
create index payment_by_link on payment (link_id) where link_id is not null;
