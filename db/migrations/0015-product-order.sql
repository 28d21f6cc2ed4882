-- The list of products in its usual order, without sorting all of them for a page.
create index product_by_name on product (name collate "fr-x-icu", id);
