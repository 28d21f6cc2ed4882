-- Pages of statistics that somebody asked for as a PDF: drawn by a job, and found again for a month.
create table made_report (
  id integer generated always as identity constraint made_report_pkey primary key,
  user_id integer not null constraint made_report_user_fkey references app_user on delete cascade,
  -- The filters, and where links lead.
  asked jsonb not null,
  state text not null default 'waiting' constraint made_report_state_known
    check (state in ('waiting', 'drawing', 'done', 'failed')),
  file_name text not null constraint made_report_file_name_length check (length(file_name) between 1 and 100),
  pdf bytea,
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  constraint made_report_done_has_pdf check ((state = 'done') = (pdf is not null))
);
create index made_report_user_idx on made_report (user_id, id desc);
create index made_report_unfinished_idx on made_report (id) where state in ('waiting', 'drawing');
