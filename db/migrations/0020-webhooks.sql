-- Webhooks: the platform sends events to addresses of users, each message signed with a secret that both sides hold.
create table webhook_endpoint (
  id integer generated always as identity constraint webhook_endpoint_pkey primary key,
  user_id integer not null constraint webhook_endpoint_user_fkey references app_user on delete cascade,
  url text not null constraint webhook_endpoint_url_length check (length(url) between 1 and 500),
  events text[] not null constraint webhook_endpoint_events_count check (cardinality(events) between 1 and 20),
  secret bytea not null,
  -- Signs beside the new one until then, so that the receiver can change it without losing a message.
  former_secret bytea,
  former_until timestamptz(3),
  -- Since the first of the failures that no success has followed.
  failing_since timestamptz(3),
  disabled_at timestamptz(3),
  disabled_because text constraint webhook_endpoint_reason_known check (disabled_because in ('owner', 'gone', 'failing')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint webhook_endpoint_disabled_for_a_reason check ((disabled_at is null) = (disabled_because is null))
);
create index webhook_endpoint_user on webhook_endpoint (user_id);
create trigger webhook_endpoint_touch before update of url, events, secret, disabled_at on webhook_endpoint
  for each row execute function touch_updated_at();

-- Messages for the endpoints that asked for their event; deleted after a month.
create table webhook_message (
  id uuid not null default uuidv7() constraint webhook_message_pkey primary key,
  event text not null,
  -- The bytes that are signed.
  body text not null,
  created_at timestamptz(3) not null default now()
);
create index webhook_message_by_time on webhook_message (created_at);

create table webhook_delivery (
  id bigint generated always as identity constraint webhook_delivery_pkey primary key,
  endpoint_id integer not null constraint webhook_delivery_endpoint_fkey references webhook_endpoint on delete cascade,
  message_id uuid not null constraint webhook_delivery_message_fkey references webhook_message on delete cascade,
  -- `held`: recorded while the endpoint was disabled. `refused`: its owner may not read this any more.
  state text not null default 'waiting'
    constraint webhook_delivery_state_known check (state in ('waiting', 'done', 'given up', 'refused', 'held')),
  attempts smallint not null default 0,
  due_at timestamptz(3) not null default now(),
  -- A process is sending it; one that dies lets go of it then.
  leased_until timestamptz(3),
  -- Of the last attempt.
  status smallint,
  answer text,
  failure text,
  duration_ms integer,
  attempted_at timestamptz(3),
  constraint webhook_delivery_once unique (endpoint_id, message_id)
);
create index webhook_delivery_due on webhook_delivery (endpoint_id, due_at) where state = 'waiting';
create index webhook_delivery_message on webhook_delivery (message_id);
create index webhook_delivery_latest on webhook_delivery (endpoint_id, id desc);

-- The last journal entry and the last end of a subscription that messages were made of.
create table webhook_source (
  is_only boolean not null default true constraint webhook_source_pkey primary key
    constraint webhook_source_one check (is_only),
  -- Of `audit_link`: its positions follow the order in which entries become visible, so that none is passed over.
  position bigint not null,
  ends_told_until timestamptz(3) not null
);
insert into webhook_source (position, ends_told_until)
select coalesce(max(position), 0), now() from audit_link;
