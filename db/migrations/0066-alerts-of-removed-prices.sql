-- A removed price is read no more, so its series is marked as due here: an alert that rang on it must stop ringing.
create function mark_due_removed_prices() returns trigger language plpgsql as $$
begin
  insert into alert_due (product_id, market_id)
  select distinct product_id, market_id from old_price
   where exists (select from alert_rule rule where rule.product_id = old_price.product_id
                    and (rule.market_id is null or rule.market_id = old_price.market_id));
  return null;
end
$$;

create trigger price_removed_due after delete on price
  referencing old table as old_price
  for each statement execute function mark_due_removed_prices();
