create table category (
  id integer generated always as identity constraint category_pkey primary key,
  name text not null constraint category_name_length check (length(name) between 1 and 200),
  description text constraint category_description_length check (length(description) <= 1000),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index category_name_key on category (fold(name));
create index category_search on category using gin (fold(name) gin_trgm_ops);

create table product_type (
  id integer generated always as identity constraint product_type_pkey primary key,
  name text not null constraint product_type_name_length check (length(name) between 1 and 200),
  category_id integer not null constraint product_type_category_fkey references category,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index product_type_name_key on product_type (category_id, fold(name));
create index product_type_search on product_type using gin (fold(name) gin_trgm_ops);

create table brand (
  id integer generated always as identity constraint brand_pkey primary key,
  name text not null constraint brand_name_length check (length(name) between 1 and 200),
  country text not null constraint brand_country_length check (length(country) between 1 and 200),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index brand_name_key on brand (fold(name));
create index brand_search on brand using gin (fold(name) gin_trgm_ops);
create index brand_by_country on brand (fold(country));

create table product (
  id integer generated always as identity constraint product_pkey primary key,
  code text not null constraint product_code_length check (length(code) between 1 and 100),
  name text not null constraint product_name_length check (length(name) between 1 and 200),
  type_id integer not null constraint product_type_fkey references product_type,
  -- A commodity read from a price file has no brand; the forms ask for one.
  brand_id integer constraint product_brand_fkey references brand,
  weight text not null constraint product_weight_length check (length(weight) between 1 and 100),
  price numeric(14, 2) constraint product_price_positive check (price > 0),
  currency text not null default 'CDF' constraint product_currency_known check (currency in ('CDF', 'USD')),
  origin text not null constraint product_origin_length check (length(origin) between 1 and 200),
  format text not null constraint product_format_length check (length(format) between 1 and 200),
  image text constraint product_image_hash check (image ~ '^[0-9a-f]{64}$'),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index product_code_key on product (fold(code));
create index product_by_type on product (type_id);
create index product_by_brand on product (brand_id);
create index product_by_series on product (fold(name), fold(weight), fold(format));
create index product_search on product using gin (fold(code || ' ' || name) gin_trgm_ops);
create index product_by_image on product (image) where image is not null;

create table market (
  id integer generated always as identity constraint market_pkey primary key,
  name text not null constraint market_name_length check (length(name) between 1 and 200),
  location text not null constraint market_location_length check (length(location) between 1 and 200),
  province text constraint market_province_length check (length(province) between 1 and 100),
  latitude numeric(8, 5) constraint market_latitude_range check (latitude between -90 and 90),
  longitude numeric(8, 5) constraint market_longitude_range check (longitude between -180 and 180),
  time_zone text not null default 'Africa/Kinshasa'
    constraint market_time_zone_known check (time_zone in ('Africa/Kinshasa', 'Africa/Lubumbashi')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint market_coordinates_paired check ((latitude is null) = (longitude is null))
);
create unique index market_name_key on market (fold(name), fold(location));
create index market_search on market using gin (fold(name || ' ' || location) gin_trgm_ops);
create index market_by_location on market (fold(location));

create trigger category_touch before update on category for each row execute function touch_updated_at();
create trigger product_type_touch before update on product_type for each row execute function touch_updated_at();
create trigger brand_touch before update on brand for each row execute function touch_updated_at();
create trigger product_touch before update on product for each row execute function touch_updated_at();
create trigger market_touch before update on market for each row execute function touch_updated_at();
