-- The lists of markets and of brands in their usual order, without sorting all of them for a page.
create index market_by_name on market (name collate "fr-x-icu", id);
create index brand_by_name on brand (name collate "fr-x-icu", id);
