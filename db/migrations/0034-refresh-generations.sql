-- A refresh token that was used stays good until one that it gave has been used: an answer may be lost on its way.
-- Each token is a generation younger than the one that gave it; a session knows the youngest that was used, and by which
-- of its tokens. Anything older that comes back, or another of the same age, is in hands that should not have it.
alter table session_token add column generation integer not null default 0;
alter table session_token drop column used_at;
alter table session add column used_generation integer not null default -1;
alter table session add column used_hash bytea;

-- Using a token says nothing to those who cache rights: only the end of a session does.
drop trigger session_access on session;
create trigger session_access after update of revoked_at or delete on session
  for each row execute function notify_access_changed();

-- How many windows were spent to the end one after the other: the wait grows with it.
alter table rate_limit add column spent_windows smallint not null default 0;
