-- When the last price was collected stands in the cells of its day: among ten million prices, to look through two days of
-- them took longer than all the other figures together.
alter table price_day add column last_collected_at timestamptz;

CREATE OR REPLACE FUNCTION add_prices_to_cells()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION recompute_cells_of_changed_prices()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform recompute_price_cells((
    select array_agg(distinct cell) from old_price o join new_price n using (id)
     cross join lateral (values
       ((o.observed_on, o.product_id, o.market_id, o.currency, o.lane)::price_cell),
       ((n.observed_on, n.product_id, n.market_id, n.currency, n.lane)::price_cell)) moved (cell)
     where (o.observed_on, o.product_id, o.market_id, o.currency, o.lane, o.price_value, o.collected_at)
       is distinct from (n.observed_on, n.product_id, n.market_id, n.currency, n.lane, n.price_value, n.collected_at)));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION recompute_price_cells(touched price_cell[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
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
end
$function$;

update price_day cell set last_collected_at = latest.at
  from (select observed_on, currency, lane, max(collected_at) as at from price group by 1, 2, 3) latest
 where (cell.day, cell.currency, cell.lane) = (latest.observed_on, latest.currency, latest.lane);
