-- Who follows products also learns that their brand, type or category is called otherwise, or that their type has moved to
-- another category: lists show both, and are filtered by category.
create function note_shown_by_products() returns trigger language plpgsql as $$
begin
  insert into row_change (of_table, ids, are_deleted)
  select 'product', range_agg(int8range(id, id, '[]')), false
    from product
   where tg_table_name = 'brand' and brand_id = new.id
      or tg_table_name = 'product_type' and type_id = new.id
      or tg_table_name = 'category' and type_id in (select type.id from product_type type where type.category_id = new.id)
  having count(*) > 0;
  return null;
end
$$;
create trigger brand_shown after update of name, country on brand
  for each row when ((old.name, old.country) is distinct from (new.name, new.country))
  execute function note_shown_by_products();
create trigger product_type_shown after update of name, category_id on product_type
  for each row when ((old.name, old.category_id) is distinct from (new.name, new.category_id))
  execute function note_shown_by_products();
create trigger category_shown after update of name on category
  for each row when (old.name is distinct from new.name)
  execute function note_shown_by_products();

-- Copies were not told of earlier changes.
insert into row_change (of_table, ids, are_deleted)
select 'product', int8multirange(int8range(min(id), max(id), '[]')), false from product having count(*) > 0;
