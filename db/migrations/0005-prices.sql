-- CDF for one US dollar, one rate a day; a day without one takes the last before it.
create table exchange_rate (
  day date not null constraint exchange_rate_pkey primary key,
  cdf_per_usd numeric(14, 6) not null constraint exchange_rate_positive check (cdf_per_usd > 0),
  log_rate bigint not null generated always as (round(ln(cdf_per_usd::float8) * 1e12)::bigint) stored,
  source text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
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
  updated_at timestamptz(3) not null default now()
);
create index price_by_day on price (observed_on, id);
create index price_by_product_day on price (product_id, observed_on, id);
create index price_by_market_day on price (market_id, observed_on, id);
create index price_by_series on price (product_id, market_id, observed_on);
create index price_by_writer on price (written_by) where written_by is not null;
create trigger price_touch before update on price for each row execute function touch_updated_at();
