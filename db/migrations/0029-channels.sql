-- Channels of users beside mail (Telegram, SMS, WhatsApp), the messages sent by them, and the channels of each alert that rang.
create table channel_address (
  id integer generated always as identity constraint channel_address_pkey primary key,
  user_id integer not null constraint channel_address_user_fkey references app_user on delete cascade,
  channel text not null constraint channel_address_channel_known check (channel in ('telegram', 'sms', 'whatsapp')),
  -- The chat, or the digits of the number, that its owner has proved to be his.
  address text,
  confirmed_at timestamptz(3),
  -- Nothing is sent there any more: its owner asked for it, or the provider said that it cannot be reached.
  stopped_at timestamptz(3),
  stopped_because text constraint channel_address_reason_known check (stopped_because in ('asked', 'unreachable')),
  -- What is being proved: the hash of a code or of a link, until when, and how often a code was tried.
  wanted_address text,
  proof bytea,
  proof_until timestamptz(3),
  tries integer not null default 0,
  created_at timestamptz(3) not null default now(),
  constraint channel_address_one unique (user_id, channel),
  constraint channel_address_owner unique (channel, address)
);
create index channel_address_by_proof on channel_address (proof) where proof is not null;

create table outgoing_message (
  id uuid default gen_random_uuid() constraint outgoing_message_pkey primary key,
  -- Null when it answers somebody without an account.
  user_id integer constraint outgoing_message_user_fkey references app_user on delete cascade,
  channel text not null constraint outgoing_message_channel_known check (channel in ('telegram', 'sms', 'whatsapp')),
  address text not null,
  purpose text not null constraint outgoing_message_purpose_known check (purpose in ('alert', 'code', 'answer')),
  -- Null once a code has left.
  content text,
  -- What it answers, once however often it comes.
  cause text constraint outgoing_message_cause_key unique,
  -- unknown: perhaps it was sent, so that it is not sent again. dropped: it was not, since its reader or his rights have gone.
  state text not null default 'waiting'
    constraint outgoing_message_state_known check (state in ('waiting', 'sending', 'sent', 'delivered', 'failed', 'unknown', 'dropped')),
  attempts integer not null default 0,
  due_at timestamptz(3) not null default now(),
  leased_until timestamptz(3),
  provider text,
  reference text,
  failure text,
  created_at timestamptz(3) not null default now()
);
create index outgoing_message_due on outgoing_message (due_at) where state in ('waiting', 'sending');
create index outgoing_message_by_reference on outgoing_message (provider, reference) where reference is not null;
create index outgoing_message_by_user on outgoing_message (user_id, created_at);

-- What a provider told of a message before its answer, with the name of the message, had come.
create table early_receipt (
  provider text not null,
  reference text not null,
  state text not null constraint early_receipt_state_known check (state in ('delivered', 'failed')),
  created_at timestamptz(3) not null default now(),
  constraint early_receipt_pkey primary key (provider, reference)
);

-- By which channel an alert goes out: waiting, sent, or not (its reader may no longer read it, or cannot be reached).
create table alert_notice (
  event_id bigint not null constraint alert_notice_event_fkey references alert_event on delete cascade,
  channel text not null constraint alert_notice_channel_known check (channel in ('mail', 'telegram', 'sms', 'whatsapp')),
  state text not null constraint alert_notice_state_known check (state in ('waiting', 'sent', 'none')),
  sent_at timestamptz(3),
  constraint alert_notice_pkey primary key (event_id, channel)
);
create index alert_notice_waiting on alert_notice (channel, event_id) where state = 'waiting';
insert into alert_notice (event_id, channel, state, sent_at) select id, 'mail', mail, mailed_at from alert_event where mail <> 'none';
alter table alert_event drop column mail, drop column mailed_at;
-- The sentence as one message of a telephone has room for it.
alter table alert_event add column short text not null default '';

-- How many SMS a plan comprises in a month of Kinshasa.
alter table plan add column sms_per_month integer not null default 20
  constraint plan_sms_not_negative check (sms_per_month >= 0);
