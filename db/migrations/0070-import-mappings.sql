-- How the columns of somebody's tables are to be read, under a name, for the next file with the same titles.
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

alter table import
  drop constraint import_state_known,
  add constraint import_state_known check (state in ('checking', 'unmapped', 'checked', 'writing', 'done', 'undoing',
    'undone', 'abandoned', 'failed')),
  -- The titles and first rows of a table whose columns are unknown, with a proposal of how to read them.
  add column table_head jsonb,
  -- How its columns are read, when somebody has said so.
  add column mapping jsonb;
