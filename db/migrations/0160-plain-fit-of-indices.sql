-- The stored indices are fitted anew from the weekly cells by a job (docs/decisions/0022-indices-fitted-anew.md): nothing
-- follows single series any more.
drop trigger price_added_to_index on price;
drop trigger price_changed_in_index on price;
drop trigger price_removed_from_index on price;
drop trigger exchange_rate_in_index on exchange_rate;
drop trigger market_in_index on market;
drop trigger product_in_index on product;
drop trigger product_type_in_index on product_type;
drop function note_added_prices();
drop function note_changed_prices();
drop function note_removed_prices();
drop function note_rated_prices();
drop function note_all_prices();
drop table price_index_pending;
drop table price_index_keeper;

-- The earliest day on which prices, or what they are worth, were changed by a statement since the last fit; null stands for
-- all days. Rows are only added, and deleted by the fit that read what they stand for: writers do not wait for each other.
create table price_index_mark (day date);
insert into price_index_mark values (null);

-- When the indices were fitted; and from which week on the windows of past weeks are to be fitted anew, by the Monday of their
-- last week, null where all of them are fitted, with the time that all of them are as of.
create table price_index_fit (
  is_only boolean not null default true constraint price_index_fit_pkey primary key
    constraint price_index_fit_only check (is_only),
  fitted_at timestamptz(3) not null default '-infinity',
  windows_from date default '-infinity',
  windows_at timestamptz(3) not null default '-infinity'
);
insert into price_index_fit default values;

-- `errors` is the sandwich of the fit from here on; `quoted` counts the clusters of each week, `clusters` all of them.
delete from price_index;
delete from price_index_window;
alter table price_index drop column computed_at, add column clusters integer not null;

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
  return null;
end
$$;

create or replace function recompute_price_cells(touched price_cell[]) returns void language plpgsql as $$
begin
  if touched is null then return; end if;
  if exists (select from unnest(touched) where currency <> 'CDF') then
    perform share_rates();
  end if;

  insert into price_day_product as cell (product_id, day, currency, lane)
  select distinct product_id, day, currency, lane from unnest(touched) order by 1, 2, 3, 4
  on conflict on constraint price_day_product_pkey do update set n = cell.n where false;
  update price_day_product cell set n = fresh.n, total = fresh.total, lowest = fresh.lowest, highest = fresh.highest, sum_log = fresh.sum_log
    from (select t.product_id, t.day, t.currency, t.lane, count(p.id) as n, coalesce(sum(p.price_value), 0) as total,
                 min(p.price_value) as lowest, max(p.price_value) as highest, coalesce(sum(p.log_value), 0) as sum_log
            from (select distinct product_id, day, currency, lane from unnest(touched)) t
            left join price p on p.product_id = t.product_id and p.observed_on = t.day and p.currency = t.currency and p.lane = t.lane
           group by 1, 2, 3, 4) fresh
   where (cell.product_id, cell.day, cell.currency, cell.lane) = (fresh.product_id, fresh.day, fresh.currency, fresh.lane);

  insert into price_day_market as cell (market_id, day, currency, lane)
  select distinct market_id, day, currency, lane from unnest(touched) order by 1, 2, 3, 4
  on conflict on constraint price_day_market_pkey do update set n = cell.n where false;
  update price_day_market cell set n = fresh.n, total = fresh.total, lowest = fresh.lowest, highest = fresh.highest, sum_log = fresh.sum_log
    from (select t.market_id, t.day, t.currency, t.lane, count(p.id) as n, coalesce(sum(p.price_value), 0) as total,
                 min(p.price_value) as lowest, max(p.price_value) as highest, coalesce(sum(p.log_value), 0) as sum_log
            from (select distinct market_id, day, currency, lane from unnest(touched)) t
            left join price p on p.market_id = t.market_id and p.observed_on = t.day and p.currency = t.currency and p.lane = t.lane
           group by 1, 2, 3, 4) fresh
   where (cell.market_id, cell.day, cell.currency, cell.lane) = (fresh.market_id, fresh.day, fresh.currency, fresh.lane);

  insert into price_day as cell (day, currency, lane)
  select distinct day, currency, lane from unnest(touched) order by 1, 2, 3
  on conflict on constraint price_day_pkey do update set n = cell.n where false;
  update price_day cell set n = fresh.n, total = fresh.total, lowest = fresh.lowest, highest = fresh.highest, sum_log = fresh.sum_log,
                            last_collected_at = fresh.last_collected_at
    from (select t.day, t.currency, t.lane, count(p.id) as n, coalesce(sum(p.price_value), 0) as total,
                 min(p.price_value) as lowest, max(p.price_value) as highest, coalesce(sum(p.log_value), 0) as sum_log,
                 max(p.collected_at) as last_collected_at
            from (select distinct day, currency, lane from unnest(touched)) t
            left join price p on p.observed_on = t.day and p.currency = t.currency and p.lane = t.lane
           group by 1, 2, 3) fresh
   where (cell.day, cell.currency, cell.lane) = (fresh.day, fresh.currency, fresh.lane);

  perform recompute_week_cells(touched);

  insert into price_index_mark select min(cell.day) from unnest(touched) cell;
end
$$;

-- A corrected rate holds from its day until the next known one: what was before it is worth the same.
create or replace function recompute_cells_of_rate(from_day date) returns void language sql as $$
  insert into price_index_mark values (from_day);
  select recompute_week_cells((
    select array_agg(distinct (observed_on, product_id, market_id, currency, lane)::price_cell) from price
     where currency = 'USD' and observed_on >= from_day
       and observed_on < coalesce((select min(r.day) from exchange_rate r where r.day > from_day), 'infinity')))
$$;

-- A form writes every field of a row: only another place, type, category or kind moves prices from one index to another.
create function mark_all_days() returns trigger language plpgsql as $$
begin
  insert into price_index_mark values (null);
  return null;
end
$$;
create trigger market_in_index after update of location, province on market
  for each row when ((old.location, old.province) is distinct from (new.location, new.province))
  execute function mark_all_days();
create trigger product_in_index after update of type_id on product
  for each row when (old.type_id is distinct from new.type_id) execute function mark_all_days();
create trigger product_type_in_index after update of category_id, kind on product_type
  for each row when ((old.category_id, old.kind) is distinct from (new.category_id, new.kind))
  execute function mark_all_days();
