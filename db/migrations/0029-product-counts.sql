-- How many products each type has, kept exact by whoever writes products: a list says its total without counting a hundred
-- thousand rows for every page. Several lanes, so that a long import and those who write meanwhile do not wait for each
-- other: a cell may be negative, their sum is right.
create table product_count (
  type_id integer not null constraint product_count_type_fkey references product_type on delete cascade,
  lane smallint not null,
  n bigint not null,
  constraint product_count_pkey primary key (type_id, lane)
);

-- The first lane that nobody holds, until the transaction ends: alone it is always lane 0, so cells stay few.
create function free_product_lane() returns smallint
  language plpgsql volatile as $$
begin
  for lane in 0..14 loop
    if pg_try_advisory_xact_lock(7305, lane) then
      return lane;
    end if;
  end loop;
  return pg_backend_pid() % 15;
end
$$;

create function count_products() returns trigger
  language plpgsql as $$
declare
  lane smallint := free_product_lane();
begin
  if tg_op = 'INSERT' then
    insert into product_count as cell
    select type_id, lane, count(*) from new_product group by 1 order by 1
    on conflict on constraint product_count_pkey do update set n = cell.n + excluded.n;
  elsif tg_op = 'DELETE' then
    insert into product_count as cell
    select type_id, lane, -count(*) from old_product group by 1 order by 1
    on conflict on constraint product_count_pkey do update set n = cell.n + excluded.n;
  elsif tg_op = 'UPDATE' then
    insert into product_count as cell
    select type_id, lane, sum(moved)
      from (select type_id, 1 as moved from new_product union all select type_id, -1 from old_product) change
     group by 1 having sum(moved) <> 0 order by 1
    on conflict on constraint product_count_pkey do update set n = cell.n + excluded.n;
  else
    delete from product_count;
  end if;
  return null;
end
$$;

create trigger product_counted_in after insert on product referencing new table as new_product
  for each statement execute function count_products();
create trigger product_counted_out after delete on product referencing old table as old_product
  for each statement execute function count_products();
create trigger product_counted_again after update on product
  referencing old table as old_product new table as new_product
  for each statement execute function count_products();
create trigger product_counted_none after truncate on product for each statement execute function count_products();

insert into product_count select type_id, 0, count(*) from product group by 1;
