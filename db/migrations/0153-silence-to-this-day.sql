-- When each market of a stored index had a price last, null where that is more than two weeks before the last of all: how many
-- are silent is counted up to the day on which it is asked, not to the last price. All indices are computed anew.
delete from price_index;
alter table price_index drop column silent_markets, add column market_days date[] not null;
insert into price_index_pending default values;
