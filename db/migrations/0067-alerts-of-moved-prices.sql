-- A price that is moved to another series or day leaves a series without an entry in the feed of changes: it is marked as
-- due here, as for a removed price.
create function mark_due_moved_prices() returns trigger language plpgsql as $$
begin
  insert into alert_due (product_id, market_id)
  select distinct old_price.product_id, old_price.market_id
    from old_price join new_price using (id)
   where (old_price.product_id, old_price.market_id, old_price.observed_on)
           is distinct from (new_price.product_id, new_price.market_id, new_price.observed_on)
     and exists (select from alert_rule rule where rule.product_id = old_price.product_id
                    and (rule.market_id is null or rule.market_id = old_price.market_id));
  return null;
end
$$;

create trigger price_moved_due after update on price
  referencing old table as old_price new table as new_price
  for each statement execute function mark_due_moved_prices();
