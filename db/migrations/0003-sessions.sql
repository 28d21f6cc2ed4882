-- A session is one family of rotated refresh tokens: what one sign-in on one device gave.
create table session (
  id bigint generated always as identity constraint session_pkey primary key,
  user_id integer not null constraint session_user_fkey references app_user on delete cascade,
  client text not null,
  created_at timestamptz(3) not null default now(),
  revoked_at timestamptz(3)
);
create index session_by_user on session (user_id);

-- Only SHA-256 hashes: a stolen copy of this table opens no session.
create table session_token (
  hash bytea not null constraint session_token_pkey primary key,
  session_id bigint not null constraint session_token_session_fkey references session on delete cascade,
  kind text not null constraint session_token_kind_known check (kind in ('access', 'refresh')),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index session_token_session on session_token (session_id);
create index session_token_expiry on session_token (expires_at);

-- Failures counted per account, address or form; a row starts a window with its first failure.
create table rate_limit (
  key text not null constraint rate_limit_pkey primary key,
  hits integer not null constraint rate_limit_hits_positive check (hits > 0),
  resets_at timestamptz(3) not null
);
create index rate_limit_reset on rate_limit (resets_at);

-- Every process caches sessions and rights for some seconds: it is told whom to forget.
-- The payload is a user id, or * for everybody (a role changed).
create function notify_access_changed() returns trigger
  language plpgsql as $$
declare
  changed jsonb := coalesce(to_jsonb(new), to_jsonb(old));
begin
  perform pg_notify('access_changed', coalesce(changed ->> 'user_id', changed ->> 'id', '*'));
  return null;
end
$$;
create trigger app_user_access after update or delete on app_user for each row execute function notify_access_changed();
create trigger session_access after update or delete on session for each row execute function notify_access_changed();
create trigger user_role_access after insert or update or delete on user_role for each row execute function notify_access_changed();
create trigger role_access after update or delete on role for each statement execute function notify_access_changed();
create trigger role_permission_access after insert or update or delete on role_permission
  for each statement execute function notify_access_changed();

-- The permissions of a user; an account without a role counts as « user ».
create function permissions_of(of_user integer) returns text[]
  language sql stable parallel safe
  return coalesce((
    select array_agg(distinct p.name order by p.name)
      from role r
      join role_permission rp on rp.role_id = r.id
      join permission p on p.id = rp.permission_id
     where r.id in (select ur.role_id from user_role ur where ur.user_id = of_user)
        or (r.name = 'user' and not exists (select from user_role ur where ur.user_id = of_user))), '{}');
