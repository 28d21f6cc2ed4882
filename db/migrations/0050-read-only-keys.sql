-- A key that never writes, whatever its scopes: that of a demonstration, which everybody may read on a page.
alter table api_key add column is_read_only boolean not null default false;
