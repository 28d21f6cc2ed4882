-- Francs are most of what an import brings, and need no rate: looking it up for each of a million prices took longer than
-- anything else that the weekly cells cost. Otherwise as in migration 0006.
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

  insert into price_day as cell (day, currency, lane, n, total, lowest, highest, sum_log)
  select observed_on, currency, lane, count(*), sum(price_value), min(price_value), max(price_value), sum(log_value)
    from new_price group by 1, 2, 3 order by 1, 2, 3
  on conflict on constraint price_day_pkey do update set
    n = cell.n + excluded.n, total = cell.total + excluded.total, sum_log = cell.sum_log + excluded.sum_log,
    lowest = least(cell.lowest, excluded.lowest), highest = greatest(cell.highest, excluded.highest);

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
$$;
