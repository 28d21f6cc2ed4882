-- Of two product types one: its products go to the other, its weights of days on which the other has none as well.
create function merge_product_type(merged integer, target integer) returns void
language sql as $$
  update product set type_id = target where type_id = merged;
  delete from product_type_weight mine using product_type_weight other
   where mine.type_id = merged and other.type_id = target and other.day = mine.day;
  update product_type_weight set type_id = target where type_id = merged;
  delete from product_type where id = merged;
$$;
