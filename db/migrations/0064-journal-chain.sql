-- A chain over the journal: each link carries the hash of the one before, so that an entry changed or taken out later
-- shows. Entries are chained a moment after they were written, in one order: writers never wait for each other.
create index audit_entry_at on audit_entry (at);
-- When what told who somebody was went out of an entry.
alter table audit_entry add column erased_at timestamptz(3);

create table audit_link (
  position bigint constraint audit_link_pkey primary key,
  entry_id bigint not null constraint audit_link_entry_key unique,
  -- Without it, the digest of a name or an address could be guessed; it goes when they do.
  salt bytea,
  -- SHA-256 of the salt and of what the entry holds.
  values_digest bytea not null,
  -- SHA-256 of the hash before, of who did what to which, and of the digest.
  hash bytea not null
);

-- What came of looking at the whole chain.
create table audit_check (
  id bigint generated always as identity constraint audit_check_pkey primary key,
  at timestamptz(3) not null default now(),
  links bigint not null,
  erased bigint not null,
  -- The last hash: whoever wrote it down elsewhere can tell later that nothing before it has changed.
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

-- As before, and the chain is told which entries it can no longer read.
create or replace function erase_from_audit(of_user integer) returns void language plpgsql as $$
declare
  word text;
begin
  perform set_config('ntalo.erased_user', of_user::text, true);
  for word in
    select distinct to_jsonb(value)::text
      from audit_entry
     cross join lateral (values (before), (after)) version (held)
     cross join lateral jsonb_each_text(held) field (key, value)
     where entity in ('users', 'agents', 'user') and entity_id = of_user and jsonb_typeof(held) = 'object'
       and key in ('name', 'email', 'avatar', 'avatar_url') and value is not null
    union
    select to_jsonb(value)::text from app_user, unnest(array[name, email, avatar_url]) value
     where id = of_user and value is not null
  loop
    update audit_entry
       set before = replace(before::text, word, '"(effacé)"')::jsonb,
           after = replace(after::text, word, '"(effacé)"')::jsonb,
           erased_at = now()
     where position(word in before::text) > 0 or position(word in after::text) > 0;
  end loop;
  update audit_entry set address = null, user_agent = null, erased_at = now()
   where user_id = of_user and (address is not null or user_agent is not null);
  update audit_link set salt = null
    from audit_entry e where e.id = entry_id and e.erased_at is not null and salt is not null;
  perform set_config('ntalo.erased_user', '', true);
end
$$;
