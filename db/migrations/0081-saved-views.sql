-- A page as somebody left it, under a name of his: its address, filters included.
create table saved_view (
  id integer generated always as identity constraint saved_view_pkey primary key,
  user_id integer not null constraint saved_view_user_fkey references app_user on delete cascade,
  name text not null constraint saved_view_name_length check (length(name) between 1 and 100),
  path text not null constraint saved_view_path_length check (length(path) between 1 and 100),
  search text not null constraint saved_view_search_length check (length(search) <= 2000),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create unique index saved_view_name_key on saved_view (user_id, fold(name));
create trigger saved_view_touch before update on saved_view for each row execute function touch_updated_at();
