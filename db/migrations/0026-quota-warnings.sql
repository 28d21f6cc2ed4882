-- Which owners of keys were told, in a month of Kinshasa, that they have spent 80 % and all of their calls.
create table quota_warning (
  user_id integer not null constraint quota_warning_user_fkey references app_user on delete cascade,
  month date not null,
  percent integer not null constraint quota_warning_percent_known check (percent in (80, 100)),
  sent_at timestamptz(3) not null default now(),
  constraint quota_warning_pkey primary key (user_id, month, percent)
);
