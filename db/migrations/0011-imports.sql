-- A file that somebody gave to import, and what has become of it. Its job reads the state, does what comes next, and
-- moves the state in the transaction that did it: whatever is killed when, a file is imported once.
create table import (
  id integer generated always as identity constraint import_pkey primary key,
  kind text not null constraint import_kind_known check (kind in ('prices', 'products')),
  file_name text not null constraint import_file_name_length check (length(file_name) between 1 and 255),
  file_bytes bigint not null,
  -- Where the file is kept; null once it has been removed.
  stored_as uuid,
  -- Currencies to read as others: {"XAF": "CDF"}.
  currency_map jsonb not null default '{}',
  state text not null default 'checking' constraint import_state_known
    check (state in ('checking', 'checked', 'writing', 'done', 'undoing', 'undone', 'abandoned', 'failed')),
  stage text,
  rows_read bigint not null default 0,
  bytes_read bigint not null default 0,
  -- Of the last reading, dry run or not.
  report jsonb,
  -- Why it failed, in French.
  failure text,
  -- What it wrote. Prices have ids between these; the categories, types, brands, products and markets that it had to
  -- create are told one by one.
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
  -- Who asked for the state that it is in (confirmed it, undid it), beside who gave the file; `request_id` is his.
  actor_id integer constraint import_actor_fkey references app_user on delete set null,
  actor_name text
);
create index import_by_author on import (author_id);
create index import_by_actor on import (actor_id);
create trigger import_touch before update on import for each row execute function touch_updated_at();
