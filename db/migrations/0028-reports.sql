-- Bulletins that users compose of blocks, and that leave by themselves to those who confirmed that they want them.
create table report (
  id bigint generated always as identity constraint report_pkey primary key,
  user_id integer not null constraint report_user_fkey references app_user on delete cascade,
  title text not null,
  blocks jsonb not null,
  -- Null when it does not leave by itself; then next_at is too.
  schedule jsonb,
  next_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index report_by_user on report (user_id);
create index report_due on report (next_at) where next_at is not null;
create trigger report_touch before update of title, blocks, schedule on report for each row execute function touch_updated_at();

create table report_recipient (
  id bigint generated always as identity constraint report_recipient_pkey primary key,
  report_id bigint not null constraint report_recipient_report_fkey references report on delete cascade,
  email text not null,
  -- What his links carry: to confirm, and to leave.
  token text not null constraint report_recipient_token_key unique,
  -- Nothing is sent to who has not confirmed, or has left; who left stays, so that nobody asks him again.
  state text not null constraint report_recipient_state_known check (state in ('waiting', 'confirmed', 'left')),
  created_at timestamptz(3) not null default now(),
  answered_at timestamptz(3)
);
create unique index report_recipient_once on report_recipient (report_id, lower(email));

create table report_issue (
  id bigint generated always as identity constraint report_issue_pkey primary key,
  report_id bigint not null constraint report_issue_report_fkey references report on delete cascade,
  -- What the address of its page carries.
  token text not null constraint report_issue_token_key unique,
  planned_at timestamptz(3) not null,
  audience text not null constraint report_issue_audience_known check (audience in ('recipients', 'owner', 'nobody')),
  is_scheduled boolean not null,
  state text not null default 'planned'
    constraint report_issue_state_known check (state in ('planned', 'made', 'sent', 'skipped', 'failed')),
  -- Why it was skipped or has failed.
  reason text,
  -- What its page shows: the figures as they were.
  content jsonb,
  made_at timestamptz(3),
  constraint report_issue_once unique (report_id, planned_at)
);
create index report_issue_to_end on report_issue (id) where state = 'made';

create table report_file (
  issue_id bigint not null constraint report_file_issue_fkey references report_issue on delete cascade,
  format text not null constraint report_file_format_known check (format in ('pdf', 'xlsx')),
  content bytea not null,
  sha256 text not null,
  constraint report_file_pkey primary key (issue_id, format)
);

-- One row for each mail of an issue, written before the mail server is called: whatever happens then, nobody gets it twice.
create table report_delivery (
  id bigint generated always as identity constraint report_delivery_pkey primary key,
  issue_id bigint not null constraint report_delivery_issue_fkey references report_issue on delete cascade,
  -- Null of the owner, and of a recipient who has been taken off the list since.
  recipient_id bigint constraint report_delivery_recipient_fkey references report_recipient on delete set null,
  is_to_owner boolean not null,
  -- unknown: it was begun, and nobody knows whether it arrived; none: its reader had left, or its owner had no access.
  state text not null default 'waiting'
    constraint report_delivery_state_known check (state in ('waiting', 'sending', 'sent', 'refused', 'unknown', 'none')),
  send_at timestamptz(3) not null default now(),
  begun_at timestamptz(3),
  attempts integer not null default 0,
  constraint report_delivery_once unique (issue_id, recipient_id)
);
create index report_delivery_by_recipient on report_delivery (recipient_id);
create index report_delivery_due on report_delivery (send_at) where state in ('waiting', 'sending');
