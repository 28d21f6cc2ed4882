-- What a type of product weighs in the expenditure of households, from a day on, as a survey found it. Only the ratios matter.
create table product_type_weight (
  id integer generated always as identity constraint product_type_weight_pkey primary key,
  type_id integer not null constraint product_type_weight_type_fkey references product_type,
  day date not null,
  weight numeric(14, 2) not null constraint product_type_weight_from_zero check (weight >= 0),
  source text not null constraint product_type_weight_source_length check (length(source) between 1 and 500),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint product_type_weight_of_day unique (type_id, day)
);
create trigger product_type_weight_touch before update on product_type_weight
  for each row execute function touch_updated_at();

-- Merges a product type into another: its products move, and its weights of days on which the other has none.
create function merge_product_type(merged integer, target integer) returns void
language sql as $$
  update product set type_id = target where type_id = merged;
  delete from product_type_weight mine using product_type_weight other
   where mine.type_id = merged and other.type_id = target and other.day = mine.day;
  update product_type_weight set type_id = target where type_id = merged;
  delete from product_type where id = merged;
$$;

-- What the INS and the BCC published of a week, in percent, of the country where no place is named.
create table published_inflation (
  id integer generated always as identity constraint published_inflation_pkey primary key,
  publisher text not null constraint published_inflation_publisher_known check (publisher in ('INS', 'BCC')),
  measure text not null
    constraint published_inflation_measure_known check (measure in ('weekly', 'cumulative', 'annualised', 'yearly')),
  week date not null constraint published_inflation_on_monday check (extract(isodow from week) = 1),
  location text constraint published_inflation_location_length check (length(location) between 1 and 200),
  value numeric(10, 3) not null constraint published_inflation_above_total_loss check (value > -100),
  source text not null constraint published_inflation_source_length check (length(source) between 1 and 500),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index published_inflation_once
  on published_inflation (week, publisher, measure, fold(coalesce(location, '')));
create trigger published_inflation_touch before update on published_inflation
  for each row execute function touch_updated_at();
