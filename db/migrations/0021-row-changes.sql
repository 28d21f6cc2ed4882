-- Which rows were written and deleted, in the order of commits: programs read what changed since they last asked, and miss nothing.
--
-- An entry names rows to look at again, as they are when it is read; of an insert, all between its first and its last. It gets its
-- place once it is committed: a transaction that began early and ends late comes last.
create table row_change (
  of_table text not null,
  ids int8multirange not null,
  are_deleted boolean not null,
  place bigint,
  placed_at timestamptz,
  constraint row_change_placed check ((place is null) = (placed_at is null))
);
create unique index row_change_order on row_change (of_table, place) where place is not null;
create index row_change_without_place on row_change (of_table) where place is null;

-- Gives what was committed its place, one caller at a time, and finds where to read on: the entry at a place, else the last one
-- before an instant.
create function start_of_changes(table_name text, at_place bigint, since timestamptz) returns row_change language plpgsql as $$
declare
  found row_change;
begin
  if exists (select from row_change where of_table = table_name and place is null) then
    perform pg_advisory_xact_lock(7306);
    select * into found from row_change where of_table = table_name and place is not null order by place desc limit 1;
    update row_change change
       set place = coalesce(found.place, 0) + waiting.rank, placed_at = greatest(clock_timestamp(), found.placed_at)
      from (select ctid, row_number() over () as rank from row_change where of_table = table_name and place is null) waiting
     where change.ctid = waiting.ctid;
  end if;
  select * into found from row_change
   where of_table = table_name and place is not null and (place = at_place or at_place is null and placed_at < since)
   order by place desc limit 1;
  return found;
end
$$;

create function note_row_change() returns trigger language plpgsql as $$
begin
  insert into row_change (of_table, ids, are_deleted)
  values (tg_table_name, int8multirange(int8range(coalesce(new.id, old.id), coalesce(new.id, old.id), '[]')), tg_op = 'DELETE');
  return null;
end
$$;
create trigger market_noted after insert or update or delete on market for each row execute function note_row_change();

-- The triggers that follow prices, rates and products note them too.
create or replace function add_prices_to_cells() returns trigger language plpgsql as $$
begin
  if exists (select from new_price where currency <> 'CDF') then
    perform share_rates();
  end if;

  insert into price_day_product as cell (day, product_id, currency, lane, n, total, lowest, highest, sum_log)
  select observed_on, product_id, currency, lane, count(*), sum(price_value), min(price_value), max(price_value), sum(log_value)
    from new_price group by 1, 2, 3, 4 order by 2, 1, 3, 4
  on conflict on constraint price_day_product_pkey do update set
    n = cell.n + excluded.n, total = cell.total + excluded.total, sum_log = cell.sum_log + excluded.sum_log,
    lowest = least(cell.lowest, excluded.lowest), highest = greatest(cell.highest, excluded.highest);

  insert into price_day_market as cell (day, market_id, currency, lane, n, total, lowest, highest, sum_log)
  select observed_on, market_id, currency, lane, count(*), sum(price_value), min(price_value), max(price_value), sum(log_value)
    from new_price group by 1, 2, 3, 4 order by 2, 1, 3, 4
  on conflict on constraint price_day_market_pkey do update set
    n = cell.n + excluded.n, total = cell.total + excluded.total, sum_log = cell.sum_log + excluded.sum_log,
    lowest = least(cell.lowest, excluded.lowest), highest = greatest(cell.highest, excluded.highest);

  insert into price_day as cell (day, currency, lane, n, total, lowest, highest, sum_log, last_collected_at)
  select observed_on, currency, lane, count(*), sum(price_value), min(price_value), max(price_value), sum(log_value), max(collected_at)
    from new_price group by 1, 2, 3 order by 1, 2, 3
  on conflict on constraint price_day_pkey do update set
    n = cell.n + excluded.n, total = cell.total + excluded.total, sum_log = cell.sum_log + excluded.sum_log,
    lowest = least(cell.lowest, excluded.lowest), highest = greatest(cell.highest, excluded.highest),
    last_collected_at = greatest(cell.last_collected_at, excluded.last_collected_at);

  insert into price_week_series as cell (week, product_id, market_id, currency, lane, n, sum_log_cdf)
  select monday_of(observed_on), product_id, market_id, currency, lane, count(*), sum(log_value + log_rate)
    from (select p.*, case currency when 'CDF' then 0 else log_rate_on(observed_on, currency) end as log_rate
            from new_price p) converted
   where log_rate is not null
   group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict on constraint price_week_series_pkey do update set
    n = cell.n + excluded.n, sum_log_cdf = cell.sum_log_cdf + excluded.sum_log_cdf;

  insert into price_index_mark select min(observed_on) from new_price having count(*) > 0;
  insert into price_month_written (month)
  select distinct month_of(observed_on) from new_price where observed_on <= last_marked_day();
  insert into row_change (of_table, ids, are_deleted)
  select 'price', int8multirange(int8range(min(id), max(id), '[]')), false from new_price having count(*) > 0;
  return null;
end
$$;

create or replace function recompute_cells_of_changed_prices() returns trigger language plpgsql as $$
begin
  perform recompute_cells(
      array_agg(cell) filter (where is_moved or o.product_id <> n.product_id),
      array_agg(cell) filter (where is_moved or o.market_id <> n.market_id),
      array_agg(cell) filter (where is_moved or o.collected_at <> n.collected_at),
      array_agg(cell) filter (where is_moved or (o.product_id, o.market_id) <> (n.product_id, n.market_id)))
    from old_price o join new_price n using (id)
   cross join lateral (select (o.observed_on, o.currency, o.lane, o.price_value) <> (n.observed_on, n.currency, n.lane, n.price_value)) moved (is_moved)
   cross join lateral (values
     ((o.observed_on, o.product_id, o.market_id, o.currency, o.lane)::price_cell),
     ((n.observed_on, n.product_id, n.market_id, n.currency, n.lane)::price_cell)) touched (cell);
  insert into price_month_written (month)
  select month_of(observed_on) from old_price where observed_on <= last_marked_day()
   union
  select month_of(observed_on) from new_price where observed_on <= last_marked_day();
  insert into row_change (of_table, ids, are_deleted)
  select 'price', range_agg(int8range(id, id, '[]')), false from new_price having count(*) > 0;
  return null;
end
$$;

create or replace function recompute_cells_of_removed_prices() returns trigger language plpgsql as $$
declare
  touched price_cell[] := (
    select array_agg((observed_on, product_id, market_id, currency, lane)::price_cell) from old_price);
begin
  perform recompute_cells(touched, touched, touched, touched);
  insert into price_month_written (month)
  select distinct month_of(observed_on) from old_price where observed_on <= last_marked_day();
  insert into row_change (of_table, ids, are_deleted)
  select 'price', range_agg(int8range(id, id, '[]')), true from old_price having count(*) > 0;
  return null;
end
$$;

create or replace function recompute_cells_of_added_rates() returns trigger language plpgsql as $$
begin
  perform recompute_cells_of_rate(day) from new_rate;
  insert into row_change (of_table, ids, are_deleted)
  select 'exchange_rate', range_agg(int8range(id, id, '[]')), false from new_rate having count(*) > 0;
  return null;
end
$$;

create or replace function recompute_cells_of_changed_rates() returns trigger language plpgsql as $$
begin
  perform recompute_cells_of_rate(day) from (select day from old_rate union select day from new_rate) changed;
  insert into row_change (of_table, ids, are_deleted)
  select 'exchange_rate', range_agg(int8range(id, id, '[]')), false from new_rate having count(*) > 0;
  return null;
end
$$;

create or replace function recompute_cells_of_removed_rates() returns trigger language plpgsql as $$
begin
  -- Their prices fall back to the rate before: the stretch to recompute starts where the removed rate did.
  perform recompute_cells_of_rate(day) from old_rate;
  insert into row_change (of_table, ids, are_deleted)
  select 'exchange_rate', range_agg(int8range(id, id, '[]')), true from old_rate having count(*) > 0;
  return null;
end
$$;

create or replace function count_products() returns trigger language plpgsql as $$
declare
  lane smallint := free_product_lane();
begin
  if tg_op = 'INSERT' then
    insert into row_change (of_table, ids, are_deleted)
    select 'product', range_agg(int8range(id, id, '[]')), false from new_product having count(*) > 0;
    insert into product_count as cell
    select type_id, lane, count(*) from new_product group by 1 order by 1
    on conflict on constraint product_count_pkey do update set n = cell.n + excluded.n;
  elsif tg_op = 'DELETE' then
    insert into row_change (of_table, ids, are_deleted)
    select 'product', range_agg(int8range(id, id, '[]')), true from old_product having count(*) > 0;
    insert into product_count as cell
    select type_id, lane, -count(*) from old_product group by 1 order by 1
    on conflict on constraint product_count_pkey do update set n = cell.n + excluded.n;
  elsif tg_op = 'UPDATE' then
    insert into row_change (of_table, ids, are_deleted)
    select 'product', range_agg(int8range(id, id, '[]')), false from new_product having count(*) > 0;
    insert into product_count as cell
    select type_id, lane, sum(moved)
      from (select type_id, 1 as moved from new_product union all select type_id, -1 from old_product) change
     group by 1 having sum(moved) <> 0 order by 1
    on conflict on constraint product_count_pkey do update set n = cell.n + excluded.n;
  else
    delete from product_count;
  end if;
  return null;
end
$$;

-- What was there before.
insert into row_change select 'price', int8multirange(int8range(min(id), max(id), '[]')), false, 1, now() from price having count(*) > 0;
insert into row_change select 'exchange_rate', int8multirange(int8range(min(id), max(id), '[]')), false, 1, now() from exchange_rate having count(*) > 0;
insert into row_change select 'product', int8multirange(int8range(min(id), max(id), '[]')), false, 1, now() from product having count(*) > 0;
insert into row_change select 'market', int8multirange(int8range(min(id), max(id), '[]')), false, 1, now() from market having count(*) > 0;
