-- A plan that is no longer sold is not proposed at a renewal: the choice of it ends, as when it is deleted.
create function forget_next_plan() returns trigger language plpgsql as $$
begin
  update subscription set next_plan_id = null where next_plan_id = new.id;
  return null;
end
$$;

create trigger plan_withdrawn after update of is_active on plan
  for each row when (old.is_active and not new.is_active) execute function forget_next_plan();

update subscription set next_plan_id = null
 where next_plan_id in (select id from plan where not is_active);
