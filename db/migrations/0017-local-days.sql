-- A market whose time zone is corrected keeps the local days of its prices: what would fall on another day keeps the time that clocks
-- at the market showed.
drop trigger market_time_zone_changed on market;
drop function move_prices_to_local_day();
create function keep_local_days() returns trigger language plpgsql as $$
begin
  update price set collected_at = (collected_at at time zone old.time_zone) at time zone new.time_zone
   where market_id = new.id and observed_on <> (collected_at at time zone new.time_zone)::date;
  return null;
end
$$;
create trigger market_time_zone_changed after update of time_zone on market for each row
  when (old.time_zone <> new.time_zone) execute function keep_local_days();
