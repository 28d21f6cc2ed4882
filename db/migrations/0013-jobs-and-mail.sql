-- Jobs: work that takes longer than a request, or must survive the process that promised it. A job is added in the
-- transaction that needs it. The process that runs it locks its row until the end: PostgreSQL releases the locks of a killed
-- process at once.
create table job (
  id bigint generated always as identity constraint job_pkey primary key,
  task text not null constraint job_task_length check (length(task) between 1 and 100),
  payload jsonb not null default '{}',
  -- The name of a periodic job: there is one of each.
  schedule text constraint job_schedule_key unique,
  -- Not before; moved on when an attempt begins, so that one that ends with its process is made again.
  run_at timestamptz(3) not null default now(),
  attempts smallint not null default 0,
  last_error text,
  created_at timestamptz(3) not null default now()
);
create index job_by_time on job (run_at, id);
-- Each health check asks for the jobs that keep failing: there are few, among many that wait.
create index job_failing on job (task) where attempts >= 3;

create function notify_job_added() returns trigger language plpgsql as $$
begin
  perform pg_notify('job_added', '');
  return null;
end
$$;
create trigger job_added after insert on job for each statement execute function notify_job_added();

-- Mails written in the transaction that causes them, sent afterwards by any process, deleted once the mail server has them.
create table outgoing_mail (
  id bigint generated always as identity constraint outgoing_mail_pkey primary key,
  -- Identifies a mail that arrives twice: a process may die between the sending and the deletion of its row.
  key uuid not null default uuidv7(),
  recipient text not null
    constraint outgoing_mail_recipient_one_line check (length(recipient) between 3 and 254 and recipient !~ '[[:cntrl:]]'),
  reply_to text
    constraint outgoing_mail_reply_to_one_line check (length(reply_to) between 3 and 254 and reply_to !~ '[[:cntrl:]]'),
  content jsonb not null,
  -- Not before; moved on when an attempt begins, so that a mail whose process dies is tried again.
  send_at timestamptz(3) not null default now(),
  attempts smallint not null default 0,
  last_error text,
  created_at timestamptz(3) not null default now()
);
create index outgoing_mail_by_time on outgoing_mail (send_at, id);

-- What visitors write to the team.
create table contact_message (
  id integer generated always as identity constraint contact_message_pkey primary key,
  name text not null constraint contact_message_name_length check (length(name) between 1 and 200),
  email text not null constraint contact_message_email_length check (length(email) between 3 and 254),
  subject text constraint contact_message_subject_length check (length(subject) <= 200),
  message text not null constraint contact_message_length check (length(message) between 1 and 5000),
  is_handled boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- The team wrote it down (it came by telephone), not its sender.
  is_noted boolean not null default false
);
create index contact_message_by_time on contact_message (created_at desc, id desc);
create index contact_message_search on contact_message
  using gin (fold(name || ' ' || email || ' ' || coalesce(subject, '') || ' ' || message) gin_trgm_ops);
create trigger contact_message_touch before update on contact_message for each row execute function touch_updated_at();
