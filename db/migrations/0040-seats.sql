-- A plan comprises seats: that of who pays, and those of the members who read on his subscription.
alter table plan add column seats integer not null default 1
  constraint plan_seats_range check (seats between 1 and 500);

create table seat (
  id integer generated always as identity constraint seat_pkey primary key,
  owner_id integer not null constraint seat_owner_fkey references app_user on delete cascade,
  email text not null constraint seat_email_length check (length(email) between 3 and 254),
  -- Who has accepted; nobody yet while it is an invitation.
  user_id integer constraint seat_user_fkey references app_user on delete cascade,
  invited_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  constraint seat_acceptance_dated check ((user_id is null) = (accepted_at is null))
);
create unique index seat_email_key on seat (owner_id, lower(email));
create unique index seat_user_key on seat (user_id);
create index seat_by_invited on seat (lower(email)) where user_id is null;

-- What a member reads follows the seats and the subscriptions of the owner: every process hears of both.
create function notify_members() returns trigger language plpgsql as $$
declare
  changed jsonb := coalesce(to_jsonb(new), to_jsonb(old));
  owner integer := coalesce(changed ->> 'owner_id', changed ->> 'user_id')::integer;
begin
  perform pg_notify('access_changed', of_user::text)
     from (select user_id from seat where owner_id = owner
           union select owner union select (changed ->> 'user_id')::integer) people (of_user)
    where of_user is not null;
  return null;
end
$$;
create trigger seat_access after insert or update or delete on seat
  for each row execute function notify_members();
create trigger subscription_members after insert or update or delete on subscription
  for each row execute function notify_members();
create trigger plan_access after update of seats on plan
  for each statement execute function notify_access_changed();
