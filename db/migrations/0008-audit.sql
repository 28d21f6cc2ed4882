-- Who changed what, written in the transaction that changed it. No foreign key: an entry outlives what it speaks of.
create table audit_entry (
  id bigint generated always as identity constraint audit_entry_pkey primary key,
  at timestamptz(3) not null default now(),
  user_id integer,
  user_name text,
  action text not null constraint audit_entry_action_length check (length(action) between 1 and 50),
  entity text not null constraint audit_entry_entity_length check (length(entity) between 1 and 50),
  entity_id bigint,
  before jsonb,
  after jsonb,
  request_id text
);
create index audit_entry_subject on audit_entry (entity, entity_id, id);
create index audit_entry_user on audit_entry (user_id, id);

create function refuse_change_of_audit() returns trigger language plpgsql as $$
begin
  raise exception 'audit entries are only added' using errcode = 'insufficient_privilege';
end
$$;
create trigger audit_entry_append_only before update or delete or truncate on audit_entry
  for each statement execute function refuse_change_of_audit();
