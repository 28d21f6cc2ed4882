-- The free fortnight is once for a person, however he writes his address and whether or not he closed his account.
alter table installation add column trial_key bytea not null
  default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());

-- One spelling of the addresses that reach the same mailbox: case, what follows a « + », dots of Gmail and its other name.
create function canonical_address(address text) returns text
  immutable strict language sql
  return (
    with parts as (
      select regexp_replace(lower(address), '@[^@]*$', '') as whole, substring(lower(address) from '[^@]*$') as domain),
    untagged as (
      select regexp_replace(whole, '(.)\+.*$', '\1') as local, domain in ('gmail.com', 'googlemail.com') as is_gmail, domain
        from parts)
    select case when is_gmail then replace(local, '.', '') || '@gmail.com' else local || '@' || domain end from untagged);

-- Says that an address had its fortnight, and nothing else, once the account that had it is closed.
create table free_trial (
  -- Of the canonical address, with the key of this installation.
  hash bytea not null constraint free_trial_pkey primary key,
  -- Whose it is; nobody’s any more once that account is closed.
  user_id integer constraint free_trial_user_fkey references app_user on delete set null,
  -- Until somebody has shown that the address is his, it may still go to who shows it.
  is_confirmed boolean not null
);
create index free_trial_user on free_trial (user_id);

-- Who loses it reads no more at once.
create function notify_free_trial_lost() returns trigger
  language plpgsql as $$
begin
  perform pg_notify('access_changed', old.user_id::text);
  return null;
end
$$;
create trigger free_trial_access after update on free_trial
  for each row when (old.user_id is distinct from new.user_id and old.user_id is not null)
  execute function notify_free_trial_lost();

create function free_trial_hash(address text) returns bytea
  stable strict language sql
  return (select sha256(trial_key || sha256(trial_key || convert_to(canonical_address(address), 'UTF8'))) from installation);

create function note_free_trial() returns trigger
  language plpgsql as $$
begin
  insert into free_trial as trial (hash, user_id, is_confirmed)
  values (free_trial_hash(new.email), new.id, new.email_verified)
  on conflict (hash) do update set user_id = excluded.user_id, is_confirmed = true
   where excluded.is_confirmed and not trial.is_confirmed;
  return null;
end
$$;
-- A closed account has an address that is nobody’s.
create trigger app_user_free_trial after insert or update of email, email_verified on app_user
  for each row when (new.email not like '%@compte.invalid') execute function note_free_trial();

-- « own »; « open » where it becomes his once he confirms his address; else « taken ».
create function free_trial_of(of_user integer) returns text
  stable language sql
  return case
    when exists (select from free_trial where user_id = of_user) then 'own'
    when exists (
      select from app_user join free_trial on hash = free_trial_hash(email)
       where app_user.id = of_user and not email_verified and not is_confirmed) then 'open'
    else 'taken' end;

insert into free_trial (hash, user_id, is_confirmed)
select distinct on (hash) free_trial_hash(email) as hash, id, email_verified
  from app_user where email not like '%@compte.invalid'
 order by hash, email_verified desc, id;
