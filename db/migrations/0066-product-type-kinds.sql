-- What is bought once, what is paid by the hour or the journey, wages, and rates of exchange: only goods enter the index.
alter table product_type add column kind text not null default 'good'
  constraint product_type_kind_known check (kind in ('good', 'service', 'wage', 'rate'));
create trigger product_type_in_index after update of category_id, kind on product_type
  for each statement execute function note_all_prices();
