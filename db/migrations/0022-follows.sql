-- What a user follows: a series (a product in a market), a product everywhere, or a market with all its products.
create table follow (
  id bigint generated always as identity constraint follow_pkey primary key,
  user_id integer not null constraint follow_user_fkey references app_user on delete cascade,
  product_id integer constraint follow_product_fkey references product on delete cascade,
  market_id integer constraint follow_market_fkey references market on delete cascade,
  created_at timestamptz(3) not null default now(),
  constraint follow_of_something check (num_nonnulls(product_id, market_id) > 0),
  constraint follow_once unique nulls not distinct (user_id, product_id, market_id)
);
create index follow_by_product on follow (product_id);
create index follow_by_market on follow (market_id);
