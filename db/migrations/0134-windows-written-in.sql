-- A price moves the windows of 53 weeks that its week is in: those after them need not be fitted anew.
-- The last week that was written in; null where nothing tells.
alter table price_index_pending add column last_week date;
-- The same of all that was taken; nothing is left to fit where it is -infinity.
alter table price_index_keeper add column windows_until date not null default 'infinity';

create or replace function note_added_prices() returns trigger language plpgsql as $$
begin
  if (select count(*) from (select from new_price limit 3001) few) > 3000 then
    insert into price_index_pending (week, last_week)
    select monday_of(min(observed_on)), monday_of(max(observed_on)) from new_price;
  else
    insert into price_index_pending (product_id, market_id, week, last_week)
    select product_id, market_id, monday_of(min(observed_on)), monday_of(max(observed_on)) from new_price group by 1, 2;
  end if;
  return null;
end
$$;
create or replace function note_changed_prices() returns trigger language plpgsql as $$
begin
  if (select count(*) from (select from new_price limit 3001) few) > 3000 then
    insert into price_index_pending (week, last_week)
    select monday_of(min(observed_on)), monday_of(max(observed_on)) from (table old_price union all table new_price) written;
  else
    insert into price_index_pending (product_id, market_id, week, last_week)
    select product_id, market_id, monday_of(min(observed_on)), monday_of(max(observed_on))
      from (table old_price union all table new_price) written group by 1, 2;
  end if;
  return null;
end
$$;
create or replace function note_removed_prices() returns trigger language plpgsql as $$
begin
  if (select count(*) from (select from old_price limit 3001) few) > 3000 then
    insert into price_index_pending (week, last_week)
    select monday_of(min(observed_on)), monday_of(max(observed_on)) from old_price;
  else
    insert into price_index_pending (product_id, market_id, week, last_week)
    select product_id, market_id, monday_of(min(observed_on)), monday_of(max(observed_on)) from old_price group by 1, 2;
  end if;
  return null;
end
$$;
