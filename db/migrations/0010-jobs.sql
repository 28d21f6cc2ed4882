-- What takes longer than a request, or must be done although the process that promised it is gone. A job is added in the
-- transaction that needs it. Whoever does it holds its row locked until it is over: PostgreSQL itself lets go of what a
-- killed process held, at once.
create table job (
  id bigint generated always as identity constraint job_pkey primary key,
  task text not null constraint job_task_length check (length(task) between 1 and 100),
  payload jsonb not null default '{}',
  -- Of a job that comes back by itself: there is one of each.
  schedule text constraint job_schedule_key unique,
  -- Not before; moved on when an attempt begins, so that one that ends with its process is made again.
  run_at timestamptz(3) not null default now(),
  attempts smallint not null default 0,
  last_error text,
  created_at timestamptz(3) not null default now()
);
create index job_by_time on job (run_at, id);

create function notify_job_added() returns trigger language plpgsql as $$
begin
  perform pg_notify('job_added', '');
  return null;
end
$$;
create trigger job_added after insert on job for each statement execute function notify_job_added();
