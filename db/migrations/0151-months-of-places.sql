-- Months are counted by product too, of each city and each province: a summary of a place reads its products' months and
-- not the hundreds of thousands of prices of years.
alter table price_month drop constraint price_month_dimension_known,
  add constraint price_month_dimension_known
    check (dimension in ('product', 'market', 'collector') or dimension ~ '^(category \d+|city .+|province [a-z]+)$');

-- A market that moves takes its months with it.
create trigger market_in_month after update of location, province on market
  for each row when (old.location is distinct from new.location or old.province is distinct from new.province)
  execute function mark_all_months();

-- The days of counted months, of the goods of each category: adding up its products' cells took half of its summary.
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
insert into price_month_written (month) select month from price_month_counted;
