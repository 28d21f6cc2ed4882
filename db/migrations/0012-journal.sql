-- The journal: who changed what, written in the transaction that changed it. No foreign key: an entry outlives its subject.
create table audit_entry (
  id bigint generated always as identity constraint audit_entry_pkey primary key,
  at timestamptz(3) not null default now(),
  -- People are named by their ids alone.
  user_id integer,
  action text not null constraint audit_entry_action_length check (length(action) between 1 and 50),
  entity text not null constraint audit_entry_entity_length check (length(entity) between 1 and 50),
  entity_id bigint,
  before jsonb,
  after jsonb,
  request_id text,
  -- Where the request came from.
  address text,
  user_agent text,
  -- When texts that identify a person were erased from the entry.
  erased_at timestamptz(3)
);
create index audit_entry_subject on audit_entry (entity, entity_id, id);
create index audit_entry_user on audit_entry (user_id, id);
create index audit_entry_at on audit_entry (at);

-- Entries are only added. Texts that identify a person may be erased, and nothing else: the entry then has « (effacé) » in their
-- place. They are named by their place, never searched by their content: people choose names, and « ACTIVE » is a name too.

-- What an entry held, without the texts at these places: `user.name` is the name inside user.
create function erased(held jsonb, variadic places text[]) returns jsonb language plpgsql immutable as $$
declare
  place text;
begin
  foreach place in array places loop
    if jsonb_typeof(held #> string_to_array(place, '.')) = 'string' then
      held := jsonb_set(held, string_to_array(place, '.'), '"(effacé)"');
    end if;
  end loop;
  return held;
end
$$;

-- Whether nothing but texts was erased.
create function is_erasure(old jsonb, new jsonb) returns boolean language plpgsql immutable as $$
begin
  if new is not distinct from old then return true; end if;
  if jsonb_typeof(old) = 'string' then return new = '"(effacé)"'; end if;
  return coalesce(jsonb_typeof(old) = 'object' and jsonb_typeof(new) = 'object', false)
     and (select count(*) from jsonb_object_keys(old)) = (select count(*) from jsonb_object_keys(new))
     and (select bool_and(new ? key and is_erasure(value, new -> key)) from jsonb_each(old));
end
$$;

create function refuse_change_of_audit() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('ntalo.erases', true) <> ''
     and (new.id, new.at, new.user_id, new.action, new.entity, new.entity_id, new.request_id)
         is not distinct from (old.id, old.at, old.user_id, old.action, old.entity, old.entity_id, old.request_id)
     and is_erasure(old.before, new.before) and is_erasure(old.after, new.after)
     and coalesce(new.address = old.address, new.address is null)
     and coalesce(new.user_agent = old.user_agent, new.user_agent is null) then
    return new;
  end if;
  raise exception 'audit entries are only added' using errcode = 'insufficient_privilege';
end
$$;
create trigger audit_entry_kept before delete or truncate on audit_entry
  for each statement execute function refuse_change_of_audit();
create trigger audit_entry_as_written before update on audit_entry
  for each row execute function refuse_change_of_audit();

-- A chain over the journal: each link carries the hash of the one before, so that an entry changed or removed later
-- shows. Entries are chained a moment after they were written, in one order: writers never wait for each other.
create table audit_link (
  position bigint constraint audit_link_pkey primary key,
  entry_id bigint not null constraint audit_link_entry_key unique,
  -- Without it, the digest of a name or an address could be guessed; it is erased with them.
  salt bytea,
  -- SHA-256 of the salt and of what the entry holds.
  values_digest bytea not null,
  -- SHA-256 of the hash before, of who did what to which, and of the digest.
  hash bytea not null
);

-- The results of checks of the whole chain.
create table audit_check (
  id bigint generated always as identity constraint audit_check_pkey primary key,
  at timestamptz(3) not null default now(),
  links bigint not null,
  erased bigint not null,
  -- The last hash: a copy of it elsewhere proves later that nothing before it has changed.
  head bytea not null,
  entry_id bigint,
  fault text constraint audit_check_fault_known check (fault in ('altered', 'missing', 'cut', 'unlinked'))
);

create function audit_facts(entry audit_entry) returns bytea language sql stable as $$
  select convert_to(jsonb_build_array(entry.id, extract(epoch from entry.at), entry.user_id, entry.action, entry.entity,
                                      entry.entity_id, entry.request_id)::text, 'UTF8')
$$;

create function audit_values(entry audit_entry) returns bytea language sql stable as $$
  select convert_to(jsonb_build_array(entry.before, entry.after, entry.address, entry.user_agent)::text, 'UTF8')
$$;

-- Chains what was written since, one process at a time: at most so many, of the entries that came after the first of
-- the last `behind` that were chained. Returns how many.
create function link_audit(most integer, behind integer) returns integer language plpgsql as $$
declare
  after_id bigint;
  entry audit_entry;
  last audit_link;
  salt bytea;
  digest bytea;
  linked integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('links of the journal'));
  select * into last from audit_link order by position desc limit 1;
  select coalesce(min(entry_id), 0) into after_id
    from audit_link where position > last.position - behind;
  if last.position <= behind then after_id := 0; end if;
  for entry in
    select e.* from audit_entry e
     where e.id > after_id and not exists (select from audit_link l where l.entry_id = e.id)
     order by e.id limit most
  loop
    salt := uuid_send(gen_random_uuid());
    digest := sha256(salt || audit_values(entry));
    last.position := coalesce(last.position, 0) + 1;
    last.hash := sha256(coalesce(last.hash, '') || audit_facts(entry) || digest);
    insert into audit_link values (last.position, entry.id, salt, digest, last.hash);
    linked := linked + 1;
  end loop;
  return linked;
end
$$;

create function refuse_change_of_link() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.salt is null
     and (new.position, new.entry_id, new.values_digest, new.hash) is not distinct from (old.position, old.entry_id, old.values_digest, old.hash) then
    return new;
  end if;
  raise exception 'links of the journal are only added' using errcode = 'insufficient_privilege';
end
$$;
create trigger audit_link_kept before delete or truncate on audit_link
  for each statement execute function refuse_change_of_link();
create trigger audit_link_as_written before update on audit_link
  for each row execute function refuse_change_of_link();
