-- A browser in which somebody signed in before: wrong passwords that others type elsewhere do not keep it out.
-- Only the SHA-256 of its cookie; a browser that several people use has a row for each.
create table known_device (
  user_id integer not null constraint known_device_user_fkey references app_user on delete cascade,
  hash bytea not null,
  expires_at timestamptz(3) not null,
  constraint known_device_pkey primary key (hash, user_id)
);
create index known_device_user on known_device (user_id);
create index known_device_expiry on known_device (expires_at);
