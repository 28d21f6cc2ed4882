-- Whoever looks at figures sees them move when a rate does, as when a price does: what they follow is told here, for a form,
-- a file, an undone import and a program all write rates. However many a transaction writes, it tells once.
create function tell_of_rates() returns trigger language plpgsql as $$
begin
  perform pg_notify('price_changed', 'rate-' || pg_current_xact_id()::text || ' {"prices":null}');
  return null;
end
$$;

create trigger exchange_rate_told after insert or update or delete on exchange_rate
  for each row execute function tell_of_rates();
