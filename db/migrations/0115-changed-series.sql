-- Which series each version of the stored indices took in, the last 200 versions: a process brings the indices up to date
-- that it has solved for somebody. A row without ids stands for all series.
create table price_index_changed (
  version bigint not null,
  product_id integer,
  market_id integer
);
create index price_index_changed_by_version on price_index_changed (version);
