-- A session is one family of rotated refresh tokens: what one sign-in on one device gave.
create table session (
  id bigint generated always as identity constraint session_pkey primary key,
  user_id integer not null constraint session_user_fkey references app_user on delete cascade,
  client text not null,
  created_at timestamptz(3) not null default now(),
  revoked_at timestamptz(3),
  -- The youngest generation of refresh tokens that was used, and which of its tokens. Anything older that comes back, or
  -- another token of that age, is in hands that should not have it.
  used_generation integer not null default -1,
  used_hash bytea
);
create index session_by_user on session (user_id);

-- Tokens are stored as SHA-256 hashes: a stolen copy of this table opens no session. A used refresh token stays valid until
-- its successor is used, because the answer with the successor may be lost.
create table session_token (
  hash bytea not null constraint session_token_pkey primary key,
  session_id bigint not null constraint session_token_session_fkey references session on delete cascade,
  kind text not null constraint session_token_kind_known check (kind in ('access', 'refresh')),
  expires_at timestamptz(3) not null,
  -- One more than that of the token that gave it.
  generation integer not null default 0
);
create index session_token_session on session_token (session_id);
create index session_token_expiry on session_token (expires_at);

-- Failures counted per account, address or form; a row starts a window with its first failure.
create table rate_limit (
  key text not null constraint rate_limit_pkey primary key,
  hits integer not null constraint rate_limit_hits_positive check (hits > 0),
  resets_at timestamptz(3) not null,
  -- How many windows were used up one after the other: the wait grows with it.
  spent_windows smallint not null default 0
);
create index rate_limit_reset on rate_limit (resets_at);

-- Links in mails: each works once, until it expires. Tokens are stored as SHA-256 hashes: a stolen copy opens no account.
create table account_link (
  hash bytea constraint account_link_pkey primary key,
  user_id integer not null constraint account_link_user_fkey references app_user on delete cascade,
  -- google: a sign-in that Google has confirmed, and that still lacks the code of the second factor.
  purpose text not null constraint account_link_purpose_known check (purpose in ('reset', 'verify', 'google')),
  -- Where it was sent: it proves nothing about a later address of the account.
  email text not null constraint account_link_email_length check (length(email) between 3 and 254),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  created_at timestamptz(3) not null default now()
);
create index account_link_by_user on account_link (user_id, purpose, created_at);
create index account_link_expiry on account_link (expires_at);

-- Browsers in which a user has signed in. Wrong passwords from other browsers do not lock them out. The cookie is stored as
-- a SHA-256 hash; a browser that several users share has one row per user.
create table known_device (
  user_id integer not null constraint known_device_user_fkey references app_user on delete cascade,
  hash bytea not null,
  expires_at timestamptz(3) not null,
  constraint known_device_pkey primary key (hash, user_id)
);
create index known_device_user on known_device (user_id);
create index known_device_expiry on known_device (expires_at);

-- Every process caches sessions and rights for some seconds: a notification says which to drop.
-- The payload is a user id, or * for all users (a role changed).
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
-- The use of a token changes no right: only the end of a session does.
create trigger session_access after update of revoked_at or delete on session
  for each row execute function notify_access_changed();
-- An administrator has his rights only while his second factor is on.
create trigger second_factor_access after delete or update of confirmed_at on second_factor
  for each row execute function notify_access_changed();
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
