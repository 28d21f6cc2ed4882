-- How many prices each product, market and collector has in a whole month: a year is then read from twelve months and the
-- days around them. Counted by a job once a month is over, and again when something was written in it since: who writes
-- the prices of today does nothing for these.
create table price_month (
  month date not null,
  dimension text not null constraint price_month_dimension_known check (dimension in ('product', 'market', 'collector')),
  -- An id, or the name of a collector.
  key text not null,
  n bigint not null,
  last_day date not null,
  constraint price_month_pkey primary key (dimension, month, key)
);

-- Which months are counted, empty ones too.
create table price_month_counted (month date not null constraint price_month_counted_pkey primary key);

-- What was written in a month since it was counted, or could have been: such a month is read day by day. It has neither a
-- unique key nor a lock: writers do not wait for each other.
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

create function mark_months_of_added_prices() returns trigger language plpgsql as $$
begin
  insert into price_month_written (month)
  select distinct month_of(observed_on) from new_price where observed_on <= last_marked_day();
  return null;
end
$$;
create function mark_months_of_changed_prices() returns trigger language plpgsql as $$
begin
  insert into price_month_written (month)
  select month_of(observed_on) from old_price where observed_on <= last_marked_day()
   union
  select month_of(observed_on) from new_price where observed_on <= last_marked_day();
  return null;
end
$$;
create function mark_months_of_removed_prices() returns trigger language plpgsql as $$
begin
  insert into price_month_written (month)
  select distinct month_of(observed_on) from old_price where observed_on <= last_marked_day();
  return null;
end
$$;
create trigger price_added_to_month after insert on price referencing new table as new_price
  for each statement execute function mark_months_of_added_prices();
create trigger price_changed_in_month after update on price referencing old table as old_price new table as new_price
  for each statement execute function mark_months_of_changed_prices();
create trigger price_removed_from_month after delete on price referencing old table as old_price
  for each statement execute function mark_months_of_removed_prices();

-- The days around whole months, of all products or markets.
create index price_day_product_by_day on price_day_product (day);
create index price_day_market_by_day on price_day_market (day);
