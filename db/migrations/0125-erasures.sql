-- Out of the journal goes what told who somebody was, and nothing else: an entry may only lose texts, where it says
-- « (effacé) » then. What is erased is named by whose it is, never looked for by how it reads: names are chosen by those
-- who bear them, and « ACTIVE » is a name too.
drop function erase_from_audit(integer);

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

-- Whether nothing but texts went out of it.
create function is_erasure(old jsonb, new jsonb) returns boolean language plpgsql immutable as $$
begin
  if new is not distinct from old then return true; end if;
  if jsonb_typeof(old) = 'string' then return new = '"(effacé)"'; end if;
  return coalesce(jsonb_typeof(old) = 'object' and jsonb_typeof(new) = 'object', false)
     and (select count(*) from jsonb_object_keys(old)) = (select count(*) from jsonb_object_keys(new))
     and (select bool_and(new ? key and is_erasure(value, new -> key)) from jsonb_each(old));
end
$$;

create or replace function refuse_change_of_audit() returns trigger language plpgsql as $$
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
