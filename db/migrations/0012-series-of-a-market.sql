-- A market holds few of the products and a product is sold in few of the markets, but there are many more products: read
-- from the market's side, the index tells which products it has without looking for the others. A series is found as well.
drop index price_by_series;
create index price_by_series on price (market_id, product_id, observed_on);
