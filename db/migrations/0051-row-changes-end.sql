-- What changed long ago ends: one entry about every row that is there takes the place of those before the last of them. Who begins anew
-- still reads the whole table; a cursor into what is gone is found no more.
create function forget_row_changes(table_name text, before timestamptz) returns void language plpgsql as $$
declare
  last row_change;
  base row_change;
begin
  -- Nobody may ever have read them: they get their places.
  perform start_of_changes(table_name, null, null);
  perform pg_advisory_xact_lock(7306);
  select * into last from row_change
   where of_table = table_name and place is not null and placed_at < before order by place desc limit 1;
  if last is null or (select count(*) from (
    select from row_change where of_table = table_name and place < last.place limit 2) earlier) < 2 then
    return;
  end if;
  delete from row_change where of_table = table_name and place < last.place;
  execute format('select int8multirange(int8range(min(id), max(id), ''[]'')) from %I having count(*) > 0', table_name) into base.ids;
  if base.ids is null then
    return;
  end if;
  -- Just before the last: who asks from an instant after it is not sent back to the beginning.
  insert into row_change values (table_name, base.ids, false, last.place - 1, last.placed_at - interval '1 microsecond');
end
$$;
