-- The price index of the whole country, of each city, category, market and province over its last 53 weeks, which a job fits
-- from the weekly cells. `errors` is the sandwich of the fit.
create table price_index (
  scope text not null
    constraint price_index_scope_known check (scope in ('nation', 'city', 'category', 'market', 'province')),
  -- Nothing for the country, a folded city, the id of a category or market, a province.
  key text not null,
  -- `start` is the Monday of the first week; `levels` has ln(index) of each week from it, null where no series links the week.
  start date not null,
  levels float8[] not null,
  -- Sums over the products of the products of what each adds to the error of two weeks, lower triangle by rows: the margin
  -- between any two weeks comes from these.
  errors float8[] not null,
  series integer not null,
  products integer not null,
  known_series integer not null,
  -- The last local day with a price.
  last_day date not null,
  -- How many clusters each week has: what a trend is judged by where few are quoted.
  quoted integer[] not null,
  -- When each market had a price last, null where that is more than two weeks before the last of all: silent markets are
  -- counted up to the day of the question, not to the last price.
  market_days date[] not null,
  clusters integer not null,
  constraint price_index_pkey primary key (scope, key)
);

-- For every stored index, the levels of each past window of 53 weeks. An index over several years is spliced from these
-- windows; the yearly change of a week is read from the window that ends with it.
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

-- Series whose last prices are unusual, found by a job: a look at every series takes too long for a request.
create table price_alert (
  product_id integer not null,
  market_id integer not null,
  kind text not null,
  -- Natural logarithm of how many times dearer than usual.
  log_change double precision not null,
  -- Change of the index of all prices in the same time, as a fraction: 0.09 is +9 %.
  overall double precision,
  last_day date not null,
  constraint price_alert_pkey primary key (product_id, market_id),
  constraint price_alert_product_fkey foreign key (product_id) references product (id) on delete cascade,
  constraint price_alert_market_fkey foreign key (market_id) references market (id) on delete cascade,
  constraint price_alert_kind_known check (kind in ('dearer', 'outlier'))
);
create index price_alert_by_market on price_alert (market_id);
