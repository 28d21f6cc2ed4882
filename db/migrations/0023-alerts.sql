-- Alerts that users set on a price: their rules, the state of each rule in each market, its events, and the queue of series to judge.
create table alert_rule (
  id bigint generated always as identity constraint alert_rule_pkey primary key,
  user_id integer not null constraint alert_rule_user_fkey references app_user on delete cascade,
  product_id integer not null constraint alert_rule_product_fkey references product on delete cascade,
  -- In any market when null.
  market_id integer constraint alert_rule_market_fkey references market on delete cascade,
  kind text not null constraint alert_rule_kind_known check (kind in ('level', 'change', 'unusual', 'silence')),
  direction text not null constraint alert_rule_direction_known check (direction in ('above', 'below')),
  -- CDF of a level, percent of a change, days of a silence.
  threshold numeric(14, 2) not null constraint alert_rule_threshold_positive check (threshold > 0),
  period_days integer not null constraint alert_rule_period_known check (period_days in (7, 30, 90, 365)),
  channels text[] not null,
  muted_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index alert_rule_by_user on alert_rule (user_id);
create index alert_rule_by_product on alert_rule (product_id, market_id);
create index alert_rule_by_market on alert_rule (market_id);
create trigger alert_rule_touch before update on alert_rule for each row execute function touch_updated_at();

create table alert_state (
  rule_id bigint not null constraint alert_state_rule_fkey references alert_rule on delete cascade,
  market_id integer not null constraint alert_state_market_fkey references market on delete cascade,
  is_ringing boolean not null,
  rang_at timestamptz(3),
  constraint alert_state_pkey primary key (rule_id, market_id)
);
create index alert_state_by_market on alert_state (market_id);

-- One row each time a rule rings: the sentence and the figures that its owner reads.
create table alert_event (
  id bigint generated always as identity constraint alert_event_pkey primary key,
  user_id integer not null constraint alert_event_user_fkey references app_user on delete cascade,
  rule_id bigint constraint alert_event_rule_fkey references alert_rule on delete set null,
  product_id integer not null constraint alert_event_product_fkey references product on delete cascade,
  market_id integer not null constraint alert_event_market_fkey references market on delete cascade,
  sentence text not null,
  price numeric(14, 2) not null,
  day date not null,
  quotes integer not null,
  created_at timestamptz(3) not null default now(),
  read_at timestamptz(3),
  -- Whether it goes out by mail: waiting, sent, or not (not asked for, or its reader may no longer read it).
  mail text not null constraint alert_event_mail_known check (mail in ('waiting', 'sent', 'none')),
  mailed_at timestamptz(3)
);
create index alert_event_by_user on alert_event (user_id, created_at);
create index alert_event_by_rule on alert_event (rule_id);
create index alert_event_by_product on alert_event (product_id);
create index alert_event_by_market on alert_event (market_id);
create index alert_event_to_mail on alert_event (user_id) where mail = 'waiting';

-- The queue of series to judge. Writers only add rows, and there is no unique key: no writer waits for another.
create table alert_due (
  product_id integer not null,
  market_id integer not null
);

-- How far the changes of prices have been read, and the day on which silences were last looked for.
create table alert_reading (
  is_only boolean default true constraint alert_reading_pkey primary key constraint alert_reading_one check (is_only),
  cursor text,
  silences_on date
);
insert into alert_reading default values;

-- Links in mails that stop them without a session: the hash of what the link carries.
create table unsubscribe_link (
  hash bytea constraint unsubscribe_link_pkey primary key,
  user_id integer not null constraint unsubscribe_link_user_fkey references app_user on delete cascade,
  kind text not null,
  created_at timestamptz(3) not null default now()
);
create index unsubscribe_link_by_user on unsubscribe_link (user_id);

alter table notification_choice drop constraint notification_choice_kind_known;
alter table notification_choice add constraint notification_choice_kind_known
  check (kind in ('subscription-reminders', 'price-alerts', 'sign-ins'));
