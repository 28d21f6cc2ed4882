-- The price index of the whole country, of each city and of each category over its last 53 weeks, kept by a process that
-- follows what is written (docs/decisions/0015-stored-indices.md).
create table price_index (
  scope text not null constraint price_index_scope_known check (scope in ('nation', 'city', 'category')),
  -- Nothing for the country, a folded city, the id of a category.
  key text not null,
  -- The first Monday, and what each week from there is worth: natural logarithms, null where nothing links a week to others.
  start date not null,
  levels float8[] not null,
  -- Sums over the products of the products of what each adds to the error of two weeks, lower triangle by rows: the margin
  -- between any two weeks comes from these.
  errors float8[] not null,
  series integer not null,
  products integer not null,
  known_series integer not null,
  silent_markets integer not null,
  -- The last local day with a price.
  last_day date not null,
  computed_at timestamptz(3) not null default now(),
  constraint price_index_pkey primary key (scope, key)
);

-- Which series were written since the indices were brought up to date; a row without ids stands for all of them.
create table price_index_pending (
  id bigint generated always as identity constraint price_index_pending_pkey primary key,
  product_id integer,
  market_id integer,
  added_at timestamptz(3) not null default now()
);

-- Who brought them up to date last: what he remembers of the series is then what is stored.
create table price_index_keeper (
  is_only boolean not null default true constraint price_index_keeper_pkey primary key
    constraint price_index_keeper_only check (is_only),
  keeper text,
  version bigint not null default 0
);
insert into price_index_keeper default values;
insert into price_index_pending default values;

-- Beyond a few thousand, all the series are read again in less time than one after the other.
create function note_added_prices() returns trigger language plpgsql as $$
begin
  if (select count(*) from (select from new_price limit 3001) few) > 3000 then
    insert into price_index_pending default values;
  else
    insert into price_index_pending (product_id, market_id) select distinct product_id, market_id from new_price;
  end if;
  return null;
end
$$;
create function note_changed_prices() returns trigger language plpgsql as $$
begin
  if (select count(*) from (select from new_price limit 3001) few) > 3000 then
    insert into price_index_pending default values;
  else
    insert into price_index_pending (product_id, market_id)
    select product_id, market_id from old_price union select product_id, market_id from new_price;
  end if;
  return null;
end
$$;
create function note_removed_prices() returns trigger language plpgsql as $$
begin
  if (select count(*) from (select from old_price limit 3001) few) > 3000 then
    insert into price_index_pending default values;
  else
    insert into price_index_pending (product_id, market_id) select distinct product_id, market_id from old_price;
  end if;
  return null;
end
$$;
create trigger price_added_to_index after insert on price referencing new table as new_price
  for each statement execute function note_added_prices();
create trigger price_changed_in_index after update on price referencing old table as old_price new table as new_price
  for each statement execute function note_changed_prices();
create trigger price_removed_from_index after delete on price referencing old table as old_price
  for each statement execute function note_removed_prices();

-- What a series belongs to, or what its prices are worth in francs, has changed.
create function note_all_prices() returns trigger language plpgsql as $$
begin
  insert into price_index_pending default values;
  return null;
end
$$;
create trigger exchange_rate_in_index after insert or update or delete on exchange_rate
  for each statement execute function note_all_prices();
create trigger market_in_index after update of location on market
  for each statement execute function note_all_prices();
create trigger product_in_index after update of type_id on product
  for each statement execute function note_all_prices();
