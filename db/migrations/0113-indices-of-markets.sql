-- Indices of each market and of each province are stored beside those of the country, cities and categories: a map of a
-- hundred thousand series is drawn from them.
alter table price_index drop constraint price_index_scope_known,
  add constraint price_index_scope_known check (scope in ('nation', 'city', 'category', 'market', 'province'));
drop trigger market_in_index on market;
create trigger market_in_index after update of location, province on market
  for each statement execute function note_all_prices();
insert into price_index_pending default values;
