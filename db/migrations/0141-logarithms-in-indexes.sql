-- The weekly means of a place or of a product are read from an index alone: of ten million prices, a year of five markets lies
-- on as many pages of the table as it has prices, and to fetch them took longer than all else.
drop index price_by_product_day;
drop index price_by_market_day;
create index price_by_product_day on price (product_id, observed_on, market_id) include (currency, log_value);
create index price_by_market_day on price (market_id, observed_on, product_id) include (currency, log_value);
