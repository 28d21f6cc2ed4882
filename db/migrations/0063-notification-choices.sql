-- The mails that somebody wants or does not; without a row, what the kind says by itself. Security mails are no choice.
create table notification_choice (
  user_id integer not null constraint notification_choice_user_fkey references app_user on delete cascade,
  kind text not null constraint notification_choice_kind_known check (kind in ('subscription-reminders', 'sign-ins')),
  is_wanted boolean not null,
  constraint notification_choice_pkey primary key (user_id, kind)
);
