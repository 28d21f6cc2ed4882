-- What visitors write to the team.
create table contact_message (
  id integer generated always as identity constraint contact_message_pkey primary key,
  name text not null constraint contact_message_name_length check (length(name) between 1 and 200),
  email text not null constraint contact_message_email_length check (length(email) between 3 and 254),
  subject text constraint contact_message_subject_length check (length(subject) <= 200),
  message text not null constraint contact_message_length check (length(message) between 1 and 5000),
  is_handled boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index contact_message_by_time on contact_message (created_at desc, id desc);
create index contact_message_search on contact_message
  using gin (fold(name || ' ' || email || ' ' || coalesce(subject, '') || ' ' || message) gin_trgm_ops);
create trigger contact_message_touch before update on contact_message for each row execute function touch_updated_at();
