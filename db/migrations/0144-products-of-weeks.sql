-- How many products each week of a stored index has: what a trend is judged by where few are quoted
-- (docs/decisions/0021-trends-where-quotes-are-rare.md). All indices are computed anew.
delete from price_index;
alter table price_index add column quoted integer[] not null;
insert into price_index_pending default values;
