-- The codes of products that were merged into others: files written before still name them.
create table product_alias (
  code text not null,
  product_id integer not null,
  constraint product_alias_product_fkey foreign key (product_id) references product (id) on delete cascade
);
create unique index product_alias_code_key on product_alias (fold(code));
create index product_alias_product on product_alias (product_id);

-- Makes reports, saved views and shared pages that choose a merged row by a filter choose the remaining one.
create function move_selections(filter text, merged integer, target integer) returns void language plpgsql as $$
declare
  chosen text := '(^|[?&])' || filter || '=' || merged || '(?=&|$)';
  kept text := '\1' || filter || '=' || target;
begin
  update report set blocks = (
      select jsonb_agg(case when block -> 'selection' ->> filter = merged::text
                            then jsonb_set(block, array['selection', filter], to_jsonb(target)) else block end
                       order by place)
        from jsonb_array_elements(blocks) with ordinality as listed (block, place))
   where exists (select from jsonb_array_elements(blocks) block where block -> 'selection' ->> filter = merged::text);
  update saved_view set search = regexp_replace(search, chosen, kept, 'g') where search ~ chosen;
  update share set search = regexp_replace(search, chosen, kept, 'g') where search ~ chosen;
end
$$;

create or replace function merge_product_type(merged integer, target integer) returns void language sql as $$
  update product set type_id = target where type_id = merged;
  delete from product_type_weight mine using product_type_weight other
   where mine.type_id = merged and other.type_id = target and other.day = mine.day;
  update product_type_weight set type_id = target where type_id = merged;
  select move_selections('typeId', merged, target);
  delete from product_type where id = merged;
$$;
