-- What the 53 weeks that end with each past week are worth, for every index that is stored: an index over years is spliced
-- from these, and the change on a year before of any week is read from its own (docs/decisions/0015-stored-indices.md).
create table price_index_window (
  scope text not null,
  key text not null,
  -- The Monday of its last week.
  week date not null,
  -- Natural logarithms, null where nothing links a week to the others.
  levels float8[] not null,
  constraint price_index_window_pkey primary key (scope, key, week)
);
create index price_index_window_by_week on price_index_window (week);

-- Windows that end from this week on are to be fitted anew, the earliest first; and when somebody was at it last.
alter table price_index_keeper add column windows_from date not null default '-infinity',
  add column windows_at timestamptz(3) not null default '-infinity';
-- The first week that was written in; null stands for all of them.
alter table price_index_pending add column week date;
-- No process remembers series from one answer to the next any more.
drop table price_index_changed;

create or replace function note_added_prices() returns trigger language plpgsql as $$
begin
  if (select count(*) from (select from new_price limit 3001) few) > 3000 then
    insert into price_index_pending (week) select monday_of(min(observed_on)) from new_price;
  else
    insert into price_index_pending (product_id, market_id, week)
    select product_id, market_id, monday_of(min(observed_on)) from new_price group by 1, 2;
  end if;
  return null;
end
$$;
create or replace function note_changed_prices() returns trigger language plpgsql as $$
begin
  if (select count(*) from (select from new_price limit 3001) few) > 3000 then
    insert into price_index_pending (week)
    select monday_of(min(observed_on)) from (table old_price union all table new_price) written;
  else
    insert into price_index_pending (product_id, market_id, week)
    select product_id, market_id, monday_of(min(observed_on))
      from (table old_price union all table new_price) written group by 1, 2;
  end if;
  return null;
end
$$;
create or replace function note_removed_prices() returns trigger language plpgsql as $$
begin
  if (select count(*) from (select from old_price limit 3001) few) > 3000 then
    insert into price_index_pending (week) select monday_of(min(observed_on)) from old_price;
  else
    insert into price_index_pending (product_id, market_id, week)
    select product_id, market_id, monday_of(min(observed_on)) from old_price group by 1, 2;
  end if;
  return null;
end
$$;

-- A rate holds from its day on: what was before it is worth the same.
create function note_rated_prices() returns trigger language plpgsql as $$
begin
  insert into price_index_pending (week) values (monday_of(least(old.day, new.day)));
  return null;
end
$$;
drop trigger exchange_rate_in_index on exchange_rate;
create trigger exchange_rate_in_index after insert or update or delete on exchange_rate
  for each row execute function note_rated_prices();

-- A form writes every field of a row: only another place, type, category or nature moves prices.
drop trigger market_in_index on market;
create trigger market_in_index after update of location, province on market
  for each row when ((old.location, old.province) is distinct from (new.location, new.province))
  execute function note_all_prices();
drop trigger product_in_index on product;
create trigger product_in_index after update of type_id on product
  for each row when (old.type_id is distinct from new.type_id) execute function note_all_prices();
drop trigger product_type_in_index on product_type;
create trigger product_type_in_index after update of category_id, kind on product_type
  for each row when ((old.category_id, old.kind) is distinct from (new.category_id, new.kind))
  execute function note_all_prices();
