-- Entries name people by their ids alone, and say where a request came from.
alter table audit_entry drop column user_name;
alter table audit_entry add column address text, add column user_agent text;

-- Entries are only added. One thing may be taken out of them: what tells who somebody was whose account is closed.
drop trigger audit_entry_append_only on audit_entry;
drop function refuse_change_of_audit();
create function refuse_change_of_audit() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('ntalo.erased_user', true) <> ''
     and (new.id, new.at, new.user_id, new.action, new.entity, new.entity_id, new.request_id)
         is not distinct from (old.id, old.at, old.user_id, old.action, old.entity, old.entity_id, old.request_id) then
    return new;
  end if;
  raise exception 'audit entries are only added' using errcode = 'insufficient_privilege';
end
$$;
create trigger audit_entry_kept before delete or truncate on audit_entry
  for each statement execute function refuse_change_of_audit();
create trigger audit_entry_as_written before update on audit_entry
  for each row execute function refuse_change_of_audit();

-- Puts « (effacé) » where entries hold what somebody was called, and forgets where he wrote from.
create function erase_from_audit(of_user integer) returns void language plpgsql as $$
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
           after = replace(after::text, word, '"(effacé)"')::jsonb
     where position(word in before::text) > 0 or position(word in after::text) > 0;
  end loop;
  update audit_entry set address = null, user_agent = null
   where user_id = of_user and (address is not null or user_agent is not null);
  perform set_config('ntalo.erased_user', '', true);
end
$$;
