-- Cells: sums of prices by day and by week, which every figure over many prices reads. Triggers update them in the
-- transaction that writes prices, so they are exact after an import, an API call or an SQL statement typed by hand.
--
-- Cells stay in the currency of collection and are converted when read, at the rate of their day; only the weekly
-- cells, which span days, hold logarithms already converted to CDF.
--
-- A cell is never deleted: one emptied stays with n = 0, so that a recomputation always finds a row to lock.

create table price_day (
  day date not null, currency text not null, lane smallint not null,
  n bigint not null default 0, total numeric not null default 0, lowest numeric(14, 2), highest numeric(14, 2),
  sum_log numeric not null default 0,
  -- When the last price of the cell was collected: a search through the prices of two days took longer than the rest.
  last_collected_at timestamptz,
  constraint price_day_pkey primary key (day, currency, lane)
);
create table price_day_product (
  day date not null, product_id integer not null, currency text not null, lane smallint not null,
  n bigint not null default 0, total numeric not null default 0, lowest numeric(14, 2), highest numeric(14, 2),
  sum_log numeric not null default 0,
  constraint price_day_product_pkey primary key (product_id, day, currency, lane)
);
create table price_day_market (
  day date not null, market_id integer not null, currency text not null, lane smallint not null,
  n bigint not null default 0, total numeric not null default 0, lowest numeric(14, 2), highest numeric(14, 2),
  sum_log numeric not null default 0,
  constraint price_day_market_pkey primary key (market_id, day, currency, lane)
);
create table price_week_series (
  week date not null, product_id integer not null, market_id integer not null, currency text not null,
  lane smallint not null,
  -- In units of 1e-12 the logarithms of 300 000 prices of one series and week fit; sums of integers cost a third.
  n bigint not null default 0, sum_log_cdf bigint not null default 0,
  constraint price_week_series_pkey primary key (week, product_id, market_id, currency, lane)
);
-- The days around whole months, of all products or markets.
create index price_day_product_by_day on price_day_product (day);
create index price_day_market_by_day on price_day_market (day);
-- From one product of a market to the next, so that a card says how many it has.
create index price_week_series_by_market on price_week_series (market_id, product_id);

-- The earliest day on which prices, or what they are worth, were changed by a statement since the last fit of the indices; null
-- stands for all days. Rows are only added, and deleted by the fit that read what they stand for: writers do not wait for each
-- other.
create table price_index_mark (day date);
insert into price_index_mark values (null);

create function monday_of(day date) returns date
  language sql immutable strict parallel safe
  return day - (extract(isodow from day)::int - 1);

-- The rate in force on a day: that day's, else the last before it, else null.
create function cdf_per_usd_on(on_day date) returns numeric
  language sql stable strict parallel safe
  return (select r.cdf_per_usd from exchange_rate r where r.day <= on_day order by r.day desc limit 1);

create function log_rate_on(on_day date, in_currency text) returns bigint
  language sql stable strict parallel safe
  return case in_currency when 'CDF' then 0
    else (select r.log_rate from exchange_rate r where r.day <= on_day order by r.day desc limit 1) end;

-- Concurrent writers of one day would block each other on the same cell. So each transaction locks the first free lane of
-- the day and writes to the cells of that lane. A single writer always gets lane 0, so there are few cells. Lane 15 is
-- reserved for bulk loads, whose transactions are long.
create function free_lane(on_day date) returns smallint
  language plpgsql volatile as $$
begin
  for lane in 0..14 loop
    if pg_try_advisory_xact_lock(7301, (on_day - date '2000-01-01') * 16 + lane) then
      return lane;
    end if;
  end loop;
  return pg_backend_pid() % 15;
end
$$;

-- Weekly cells depend on the rates. A price in dollars shares this lock, a change of rates takes it alone: neither
-- can miss what the other has not committed yet.
create function share_rates() returns void language sql as $$ select pg_advisory_xact_lock_shared(7302) $$;
create function hold_rates() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7302);
  return null;
end
$$;

-- Francs are most of what an import brings, and need no rate: a look-up for each of a million prices took longer than
-- the rest of the weekly cells.
--
-- One trigger for each kind of write, so that what a write changes beside the price is read in one function: it marks the
-- indices and the counted months too. Lanes stay: in one lane, among 50 000 prices, 16 writers of the same day write 0.26 to
-- 0.41 times as many prices a second, each at 1.6 to 2.2 times the processor.
create function add_prices_to_cells() returns trigger language plpgsql as $$
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
  return null;
end
$$;

create type price_cell as (day date, product_id integer, market_id integer, currency text, lane smallint);

-- A minimum cannot be subtracted: cells that lose a price are recomputed from the raw prices. Each is locked by a
-- statement of its own, so that the one that recomputes it sees all that was committed before the lock was won.
-- `do update … where false` changes nothing and locks all the same: cells that are there and cells that are not are
-- taken in one order, which is also that of added prices, so that no writers wait for each other in a circle.
create function recompute_week_cells(touched price_cell[]) returns void language plpgsql as $$
begin
  insert into price_week_series as cell (week, product_id, market_id, currency, lane)
  select distinct monday_of(day), product_id, market_id, currency, lane from unnest(touched) order by 1, 2, 3, 4, 5
  on conflict on constraint price_week_series_pkey do update set n = cell.n where false;
  update price_week_series cell set n = fresh.n, sum_log_cdf = fresh.sum_log_cdf
    from (select t.week, t.product_id, t.market_id, t.currency, t.lane,
                 count(p.log_cdf) as n, coalesce(sum(p.log_cdf), 0) as sum_log_cdf
            from (select distinct monday_of(day) as week, product_id, market_id, currency, lane from unnest(touched)) t
            left join lateral (
              select log_value + log_rate_on(observed_on, t.currency) as log_cdf from price
               where product_id = t.product_id and market_id = t.market_id and currency = t.currency and lane = t.lane
                 and observed_on between t.week and t.week + 6) p on true
           group by 1, 2, 3, 4, 5) fresh
   where (cell.week, cell.product_id, cell.market_id, cell.currency, cell.lane)
       = (fresh.week, fresh.product_id, fresh.market_id, fresh.currency, fresh.lane);
end
$$;

create function recompute_price_cells(touched price_cell[]) returns void language plpgsql as $$
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

create function recompute_cells_of_removed_prices() returns trigger language plpgsql as $$
begin
  perform recompute_price_cells((select array_agg(distinct (observed_on, product_id, market_id, currency, lane)::price_cell) from old_price));
  insert into price_month_written (month)
  select distinct month_of(observed_on) from old_price where observed_on <= last_marked_day();
  return null;
end
$$;

create function recompute_cells_of_changed_prices() returns trigger language plpgsql as $$
begin
  perform recompute_price_cells((
    select array_agg(distinct cell) from old_price o join new_price n using (id)
     cross join lateral (values
       ((o.observed_on, o.product_id, o.market_id, o.currency, o.lane)::price_cell),
       ((n.observed_on, n.product_id, n.market_id, n.currency, n.lane)::price_cell)) moved (cell)
     where (o.observed_on, o.product_id, o.market_id, o.currency, o.lane, o.price_value, o.collected_at)
       is distinct from (n.observed_on, n.product_id, n.market_id, n.currency, n.lane, n.price_value, n.collected_at)));
  insert into price_month_written (month)
  select month_of(observed_on) from old_price where observed_on <= last_marked_day()
   union
  select month_of(observed_on) from new_price where observed_on <= last_marked_day();
  return null;
end
$$;

create trigger price_added after insert on price referencing new table as new_price
  for each statement execute function add_prices_to_cells();
create trigger price_changed after update on price referencing old table as old_price new table as new_price
  for each statement execute function recompute_cells_of_changed_prices();
create trigger price_removed after delete on price referencing old table as old_price
  for each statement execute function recompute_cells_of_removed_prices();

-- A corrected rate holds from its day until the next one: what was before it is worth the same.
create function recompute_cells_of_rate(from_day date) returns void language sql as $$
  insert into price_index_mark values (from_day);
  select recompute_week_cells((
    select array_agg(distinct (observed_on, product_id, market_id, currency, lane)::price_cell) from price
     where currency = 'USD' and observed_on >= from_day
       and observed_on < coalesce((select min(r.day) from exchange_rate r where r.day > from_day), 'infinity')))
$$;
create function recompute_cells_of_added_rates() returns trigger language plpgsql as $$
begin
  perform recompute_cells_of_rate(day) from new_rate;
  return null;
end
$$;
create function recompute_cells_of_changed_rates() returns trigger language plpgsql as $$
begin
  perform recompute_cells_of_rate(day) from (select day from old_rate union select day from new_rate) changed;
  return null;
end
$$;
create function recompute_cells_of_removed_rates() returns trigger language plpgsql as $$
begin
  -- Their prices fall back to the rate before: the stretch to recompute starts where the removed rate did.
  perform recompute_cells_of_rate(day) from old_rate;
  return null;
end
$$;
create trigger exchange_rate_hold before insert or update or delete on exchange_rate
  for each statement execute function hold_rates();
create trigger exchange_rate_added after insert on exchange_rate referencing new table as new_rate
  for each statement execute function recompute_cells_of_added_rates();
create trigger exchange_rate_changed after update on exchange_rate referencing old table as old_rate new table as new_rate
  for each statement execute function recompute_cells_of_changed_rates();
create trigger exchange_rate_removed after delete on exchange_rate referencing old table as old_rate
  for each statement execute function recompute_cells_of_removed_rates();
