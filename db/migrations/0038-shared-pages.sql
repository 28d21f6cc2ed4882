-- Beside the page of a price, every page with charts is shared: its path and its filters say which.
alter table share
  alter column product_id drop not null,
  alter column market_id drop not null,
  add column path text,
  add column search text,
  add column title text,
  add constraint share_subject check (
    (product_id is not null and market_id is not null and path is null and search is null and title is null)
    or (product_id is null and market_id is null and path is not null and search is not null and title is not null));
