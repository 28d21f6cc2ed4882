-- Exchange rates and prices.

-- CDF for one US dollar, one rate a day; a day without one takes the last before it.
create table exchange_rate (
  day date not null constraint exchange_rate_pkey primary key,
  cdf_per_usd numeric(14, 6) not null constraint exchange_rate_positive check (cdf_per_usd > 0),
  log_rate bigint not null generated always as (round(ln(cdf_per_usd::float8) * 1e12)::bigint) stored,
  source text constraint exchange_rate_source_length check (length(source) <= 200),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- The address of a rate, which outlives a correction of its day.
  id integer generated always as identity constraint exchange_rate_id_key unique
);
create trigger exchange_rate_touch before update on exchange_rate for each row execute function touch_updated_at();

create table price (
  id bigint generated always as identity constraint price_pkey primary key,
  product_id integer not null constraint price_product_fkey references product,
  market_id integer not null constraint price_market_fkey references market,
  price_value numeric(14, 2) not null constraint price_value_positive check (price_value > 0),
  -- Natural logarithm in units of 1e-12: sums of integers are exact whatever their order.
  log_value bigint not null generated always as (round(ln(price_value::float8) * 1e12)::bigint) stored,
  currency text not null default 'CDF' constraint price_currency_known check (currency in ('CDF', 'USD')),
  flag text not null default 'actual' constraint price_flag_known check (flag in ('actual', 'aggregate')),
  collector_name text not null constraint price_collector_length check (length(collector_name) between 1 and 200),
  source text constraint price_source_length check (length(source) <= 500),
  collected_at timestamptz(3) not null,
  -- The local day of collection in the market's time zone.
  observed_on date not null,
  -- Which of the parallel cells of a rollup counts this price (see free_lane).
  lane smallint not null default 0 constraint price_lane_range check (lane between 0 and 15),
  written_by integer constraint price_writer_fkey references app_user on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- Which import wrote it. Neither index nor foreign key: each would cost every row of every import, and the prices of one
  -- are found by `id between first_price_id and last_price_id and import_id = …`; others may have written between.
  import_id integer
);
-- A price costs what its indexes cost, a million times over in an import. PostgreSQL skips along the first column of an
-- index that a question does not restrict (200 markets or 500 products are as many jumps), so that these few answer every
-- question: the last column of the two of a day finds a series, too, from the product's side or from the market's.
--
-- The list goes from the last collected to the first: within a day, by the hour.
create index price_by_day on price (observed_on, collected_at, id);
-- Covering indexes: weekly means of a market or a product are read without the table. With ten million prices, almost every
-- price of five markets stands on a page of its own, and reading these pages took most of the time.
create index price_by_product_day on price (product_id, observed_on, market_id) include (currency, log_value);
create index price_by_market_day on price (market_id, observed_on, product_id) include (currency, log_value);
-- Names of collectors repeat: the index stays small, and jumping along it finds them all.
create index price_by_collector on price (collector_name, observed_on);
-- Prices in order of their amount.
create index price_by_value on price (price_value, id);
-- What an agent collected lately, and last.
create index price_by_writer on price (written_by, collected_at) where written_by is not null;

-- As touch_updated_at, but a statement that sets updated_at has its way: only the undoing of an import does.
create function touch_unless_told() returns trigger
  language plpgsql as $$
begin
  if new.updated_at is not distinct from old.updated_at then
    new.updated_at := greatest(now(), old.updated_at + interval '1 millisecond');
  end if;
  return new;
end
$$;
create trigger price_touch before update on price for each row execute function touch_unless_told();

-- When a price was collected of which only the day is recorded: at noon on the clocks of its market, or now if that is earlier.
create function noon_of(day date, time_zone text) returns timestamptz language sql stable parallel safe as $$
  select least((day + time '12:00') at time zone time_zone, now())
$$;

-- The local day of a price follows its market's time zone.
create function move_prices_to_local_day() returns trigger language plpgsql as $$
begin
  update price set observed_on = (collected_at at time zone new.time_zone)::date
   where market_id = new.id and observed_on <> (collected_at at time zone new.time_zone)::date;
  return null;
end
$$;
create trigger market_time_zone_changed after update of time_zone on market for each row
  when (old.time_zone <> new.time_zone) execute function move_prices_to_local_day();

-- Screens with figures follow rates as they follow prices: a form, a file, an undone import and a program all write rates.
-- However many a transaction writes, it notifies once.
create function tell_of_rates() returns trigger language plpgsql as $$
begin
  perform pg_notify('price_changed', 'rate-' || pg_current_xact_id()::text || ' {"prices":null}');
  return null;
end
$$;
create trigger exchange_rate_told after insert or update or delete on exchange_rate
  for each row execute function tell_of_rates();
