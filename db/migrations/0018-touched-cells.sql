-- A change of prices computes only the cells that it touches: prices that go to another product leave those of days and
-- markets as they are, and two products of thousands of prices become one within the time of a request.

create function recompute_product_cells(touched price_cell[]) returns void language plpgsql as $$
begin
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
end
$$;

create function recompute_market_cells(touched price_cell[]) returns void language plpgsql as $$
begin
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
end
$$;

create function recompute_day_cells(touched price_cell[]) returns void language plpgsql as $$
begin
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
end
$$;

-- In the order in which every writer takes them.
create function recompute_cells(products price_cell[], markets price_cell[], days price_cell[], weeks price_cell[])
returns void language plpgsql as $$
begin
  if exists (select from unnest(weeks) where currency <> 'CDF') then
    perform share_rates();
  end if;
  perform recompute_product_cells(products);
  perform recompute_market_cells(markets);
  perform recompute_day_cells(days);
  perform recompute_week_cells(weeks);
  insert into price_index_mark select min(cell.day) from unnest(weeks) cell having count(*) > 0;
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
  return null;
end
$$;

drop function recompute_price_cells(price_cell[]);
