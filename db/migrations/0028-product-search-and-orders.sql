-- What a search of products looks through, folded once: a search of two letters, which no trigram serves, compares texts
-- instead of folding a hundred thousand of them.
alter table product add column folded text not null generated always as (fold(code || ' ' || name)) stored;
drop index product_search;
create index product_search on product using gin (folded gin_trgm_ops);

-- The list of products in its other orders, without sorting all of them for a page. What has no price comes last in both
-- directions.
create index product_by_code on product (code collate "fr-x-icu", id);
create index product_in_order_of_origin on product (origin collate "fr-x-icu", id);
create index product_in_order_of_format on product (format collate "fr-x-icu", id);
create index product_by_price on product (price, id);
create index product_by_price_down on product (price desc nulls last, id desc);
create index product_by_creation on product (created_at, id);
