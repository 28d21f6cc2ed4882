-- Months are counted by market too, of the goods of each category: a summary of a category reads twelve rows a year and market.
alter table price_month drop constraint price_month_dimension_known,
  add constraint price_month_dimension_known
    check (dimension in ('product', 'market', 'collector') or dimension ~ '^category \d+$');

-- A product that moves to another category takes its months with it.
create function mark_all_months() returns trigger language plpgsql as $$
begin
  insert into price_month_written (month) select month from price_month_counted;
  return null;
end
$$;
create trigger product_in_month after update of type_id on product
  for each row when (old.type_id is distinct from new.type_id) execute function mark_all_months();
create trigger product_type_in_month after update of category_id, kind on product_type
  for each row when (old.category_id is distinct from new.category_id or old.kind is distinct from new.kind)
  execute function mark_all_months();
insert into price_month_written (month) select month from price_month_counted;
