-- From one product of a market to the next, so that a card tells how many it has.
create index price_week_series_by_market on price_week_series (market_id, product_id);
