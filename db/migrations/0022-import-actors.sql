-- Who asked for the state that an import is in (confirmed it, undid it), beside who gave the file; `request_id` is his.
alter table import
  add column actor_id integer constraint import_actor_fkey references app_user on delete set null,
  add column actor_name text;
create index import_by_actor on import (actor_id);
