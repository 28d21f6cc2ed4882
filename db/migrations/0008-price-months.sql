-- The number of prices per month of each product, market and collector: a year is read from twelve monthly rows and the days
-- around them. A job counts a month once it is over, and again after a write in it: a write of today's prices costs
-- nothing here. A market is counted by the goods of each category too, and a product by city and by province, so that a summary
-- of a category or of a place reads twelve rows a year and series.
--
-- Without months, among a million prices, the summary of all prices takes 12 times as long, of a year or of a category 4
-- times, of a province 2.7 times.
create table price_month (
  month date not null,
  dimension text not null constraint price_month_dimension_known
    check (dimension in ('product', 'market', 'collector') or dimension ~ '^(category \d+|city .+|province [a-z]+)$'),
  -- An id, or the name of a collector.
  key text not null,
  n bigint not null,
  last_day date not null,
  constraint price_month_pkey primary key (dimension, month, key)
);

-- The days of counted months, of the goods of each category: the sum of its products' cells took half of its summary.
create table price_day_category (
  category_id integer not null constraint price_day_category_category references category on delete cascade,
  day date not null,
  currency text not null,
  n bigint not null,
  total numeric not null,
  lowest numeric(14, 2) not null,
  highest numeric(14, 2) not null,
  constraint price_day_category_pkey primary key (category_id, day, currency)
);
create index price_day_category_by_day on price_day_category (day);

-- Which months are counted, empty ones too.
create table price_month_counted (month date not null constraint price_month_counted_pkey primary key);

-- Months in which a price was written after the last count. They are read day by day until the job counts them again. The
-- table has no unique key and takes no lock, so that writers do not block each other.
create table price_month_written (
  id bigint generated always as identity constraint price_month_written_pkey primary key,
  month date not null
);

create function month_of(day date) returns date
  language sql immutable strict parallel safe
  return date_trunc('month', day::timestamp)::date;

-- No month is counted before it is over for two weeks, and no transaction lasts one: a month that has not been over for
-- one week needs no mark.
create function last_marked_day() returns date
  language sql stable parallel safe
  return month_of(now()::date - 7) - 1;

-- A product that moves to another category, or a market that moves, takes its months with it.
create function mark_all_months() returns trigger language plpgsql as $$
begin
  insert into price_month_written (month) select month from price_month_counted;
  return null;
end
$$;
create trigger product_in_month after update of type_id on product
  for each row when (old.type_id is distinct from new.type_id) execute function mark_all_months();
create trigger product_type_in_month after update of category_id, kind on product_type
  for each row when (old.category_id is distinct from new.category_id or old.kind is distinct from new.kind)
  execute function mark_all_months();
create trigger market_in_month after update of location, province on market
  for each row when (old.location is distinct from new.location or old.province is distinct from new.province)
  execute function mark_all_months();
