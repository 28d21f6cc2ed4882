-- A file to import, and its state. Its job reads the state, does the next step, and changes the state in the same
-- transaction: whatever is killed when, a file is imported once.
create table import (
  id integer generated always as identity constraint import_pkey primary key,
  kind text not null constraint import_kind_known check (kind in ('prices', 'products', 'rates')),
  file_name text not null constraint import_file_name_length check (length(file_name) between 1 and 255),
  file_bytes bigint not null,
  -- The name of the stored file; null once it has been removed.
  stored_as uuid,
  -- Currencies to read as others: {"XAF": "CDF"}.
  currency_map jsonb not null default '{}',
  state text not null default 'checking' constraint import_state_known
    check (state in ('checking', 'unmapped', 'checked', 'writing', 'done', 'undoing', 'undone', 'abandoned', 'failed')),
  stage text,
  rows_read bigint not null default 0,
  bytes_read bigint not null default 0,
  -- Of the last reading, dry run or not.
  report jsonb,
  -- Why it failed, in French.
  failure text,
  -- What it wrote. Prices have ids between these; the categories, types, brands, products and markets that it had to
  -- create are listed one by one.
  first_price_id bigint,
  last_price_id bigint,
  created jsonb,
  author_id integer constraint import_author_fkey references app_user on delete set null,
  author_name text,
  request_id text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- When the last reading or undoing ended.
  ended_at timestamptz(3),
  -- Who asked for the state that it is in (confirmed it, undid it), beside its author; `request_id` is his.
  actor_id integer constraint import_actor_fkey references app_user on delete set null,
  actor_name text,
  -- The titles and first rows of a table whose columns are unclear, with a proposal of how to read them.
  table_head jsonb,
  -- How its columns are read, once a user has said so.
  mapping jsonb
);
create index import_by_author on import (author_id);
create index import_by_actor on import (actor_id);
create trigger import_touch before update on import for each row execute function touch_updated_at();

-- How to read the columns of a table, under a name, for the next file with the same titles.
create table import_mapping (
  id integer generated always as identity constraint import_mapping_pkey primary key,
  kind text not null constraint import_mapping_kind_known check (kind in ('prices', 'products')),
  name text not null constraint import_mapping_name_length check (length(name) between 1 and 100),
  -- The titles in their order, as titles are compared: a file that has the same ones is read in the same way.
  titles text[] not null,
  content jsonb not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index import_mapping_name_key on import_mapping (fold(name));
create trigger import_mapping_touch before update on import_mapping for each row execute function touch_updated_at();

-- A price as it was before an import changed it, so that undoing the import restores it. The price itself may be gone.
create table price_revision (
  -- A command inserts the row of its import last, in the same transaction.
  import_id integer not null constraint price_revision_import_fkey references import on delete cascade
    deferrable initially deferred,
  price_id bigint not null,
  price_value numeric(14, 2) not null,
  currency text not null,
  -- When it was changed: a price that was changed since stays as it is.
  revised_at timestamptz(3) not null,
  -- When the price had been changed last before the import.
  updated_at timestamptz(3),
  constraint price_revision_pkey primary key (import_id, price_id)
);

-- The rate of a day as it was before an import changed it; null where there was none.
create table rate_revision (
  import_id integer not null constraint rate_revision_import_fkey references import on delete cascade
    deferrable initially deferred,
  rate_id integer not null,
  cdf_per_usd numeric(14, 6),
  source text,
  -- When it was changed: a rate that was changed since stays as it is.
  revised_at timestamptz(3) not null,
  constraint rate_revision_pkey primary key (import_id, rate_id)
);

-- Numbers of WFP: a market or a commodity that a newer file calls otherwise stays the same one.
create table wfp_market (
  wfp_id bigint not null constraint wfp_market_pkey primary key,
  market_id integer not null constraint wfp_market_market_fkey references market on delete cascade
);
create index wfp_market_by_market on wfp_market (market_id);
-- A commodity in one unit at one stage of trade.
create table wfp_product (
  wfp_id bigint not null,
  unit text not null,
  format text not null,
  product_id integer not null constraint wfp_product_product_fkey references product on delete cascade,
  constraint wfp_product_pkey primary key (wfp_id, unit, format)
);
create index wfp_product_by_product on wfp_product (product_id);
