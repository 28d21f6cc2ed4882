-- Categories, types, brands and products.
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
  updated_at timestamptz(3) not null default now(),
  -- `service` is paid by the hour or the journey, `rate` is an exchange rate. Only goods enter the index.
  kind text not null default 'good' constraint product_type_kind_known check (kind in ('good', 'service', 'wage', 'rate'))
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
-- The list in its usual order, without sorting all of it for a page; so have markets and products.
create index brand_by_name on brand (name collate "fr-x-icu", id);
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
  updated_at timestamptz(3) not null default now(),
  -- What a search looks through, folded once: a search of two letters, which no trigram serves, compares texts instead of
  -- folding a hundred thousand of them.
  folded text not null generated always as (fold(code || ' ' || name)) stored
);
create unique index product_code_key on product (fold(code));
create index product_by_type on product (type_id);
create index product_by_brand on product (brand_id);
create index product_by_series on product (fold(name), fold(weight), fold(format));
create index product_search on product using gin (folded gin_trgm_ops);
create index product_by_image on product (image) where image is not null;
-- Origins and formats repeat: filters compare them, and jumping along these indexes finds each of them once.
create index product_by_origin on product (fold(origin), id);
create index product_by_format on product (fold(format), id);
-- The list in each of its orders. What has no price comes last in both directions.
create index product_by_name on product (name collate "fr-x-icu", id);
create index product_by_code on product (code collate "fr-x-icu", id);
create index product_in_order_of_origin on product (origin collate "fr-x-icu", id);
create index product_in_order_of_format on product (format collate "fr-x-icu", id);
create index product_by_price on product (price, id);
create index product_by_price_down on product (price desc nulls last, id desc);
create index product_by_creation on product (created_at, id);

create trigger category_touch before update on category for each row execute function touch_updated_at();
create trigger product_type_touch before update on product_type for each row execute function touch_updated_at();
create trigger brand_touch before update on brand for each row execute function touch_updated_at();
create trigger product_touch before update on product for each row execute function touch_updated_at();

-- How many products each type has, exact after each write of products: a list says its total without counting a hundred
-- thousand rows for every page. Several lanes, so that a long import and those who write meanwhile do not wait for each
-- other: a cell may be negative, their sum is right.
create table product_count (
  type_id integer not null constraint product_count_type_fkey references product_type on delete cascade,
  lane smallint not null,
  n bigint not null,
  constraint product_count_pkey primary key (type_id, lane)
);

-- The first lane without a holder, until the transaction ends: a single writer always has lane 0, so cells stay few.
create function free_product_lane() returns smallint
  language plpgsql volatile as $$
begin
  for lane in 0..14 loop
    if pg_try_advisory_xact_lock(7305, lane) then
      return lane;
    end if;
  end loop;
  return pg_backend_pid() % 15;
end
$$;

create function count_products() returns trigger
  language plpgsql as $$
declare
  lane smallint := free_product_lane();
begin
  if tg_op = 'INSERT' then
    insert into product_count as cell
    select type_id, lane, count(*) from new_product group by 1 order by 1
    on conflict on constraint product_count_pkey do update set n = cell.n + excluded.n;
  elsif tg_op = 'DELETE' then
    insert into product_count as cell
    select type_id, lane, -count(*) from old_product group by 1 order by 1
    on conflict on constraint product_count_pkey do update set n = cell.n + excluded.n;
  elsif tg_op = 'UPDATE' then
    insert into product_count as cell
    select type_id, lane, sum(moved)
      from (select type_id, 1 as moved from new_product union all select type_id, -1 from old_product) change
     group by 1 having sum(moved) <> 0 order by 1
    on conflict on constraint product_count_pkey do update set n = cell.n + excluded.n;
  else
    delete from product_count;
  end if;
  return null;
end
$$;

create trigger product_counted_in after insert on product referencing new table as new_product
  for each statement execute function count_products();
create trigger product_counted_out after delete on product referencing old table as old_product
  for each statement execute function count_products();
create trigger product_counted_again after update on product
  referencing old table as old_product new table as new_product
  for each statement execute function count_products();
create trigger product_counted_none after truncate on product for each statement execute function count_products();
