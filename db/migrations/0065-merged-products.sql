-- The products that were merged into others: phones that were offline since still send their ids.
create table merged_product (
  id integer not null,
  product_id integer not null,
  constraint merged_product_pkey primary key (id),
  constraint merged_product_product_fkey foreign key (product_id) references product (id) on delete cascade
);
create index merged_product_product on merged_product (product_id);

-- The journal knows the earlier merges, also of products that were merged again.
with recursive merge as (
    select entity_id::integer as id, (after ->> 'id')::integer as into_id
      from audit_entry where entity = 'products' and action = 'merge'),
  path as (
    select id, into_id from merge
     union
    select path.id, merge.into_id from path join merge on merge.id = path.into_id)
insert into merged_product (id, product_id)
select path.id, product.id from path join product on product.id = path.into_id
    on conflict do nothing;
