-- What the list and the summary of prices read beside the rollups.

-- Names of collectors repeat: the index stays small, and jumping along it finds them all.
create index price_by_collector on price (collector_name, observed_on);
-- Prices in order of their amount.
create index price_by_value on price (price_value, id);
-- The weeks of one product, one market or one series.
create index price_week_series_product on price_week_series (product_id, market_id, week);
create index price_week_series_market on price_week_series (market_id, week);
