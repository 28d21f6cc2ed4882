-- Warnings sent to owners of keys in a month of Kinshasa: at 80 % and at 100 % of their calls.
create table quota_warning (
  user_id integer not null constraint quota_warning_user_fkey references app_user on delete cascade,
  month date not null,
  percent integer not null constraint quota_warning_percent_known check (percent in (80, 100)),
  sent_at timestamptz(3) not null default now(),
  constraint quota_warning_pkey primary key (user_id, month, percent)
);
