-- Names are written with plain blanks from now on. Those that were not become so, but where another has that name
-- already: both stay as they are, to be made one by hand.
do $$
declare
  field record;
  entry record;
  blanks constant text := e'[ \\t-\\r\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+';
begin
  for field in
    select * from (values
      ('brand', 'name'), ('brand', 'country'), ('category', 'name'), ('product_type', 'name'),
      ('market', 'name'), ('market', 'location'), ('market', 'province'),
      ('product', 'code'), ('product', 'name'), ('product', 'weight'), ('product', 'origin'), ('product', 'format'),
      ('price', 'collector_name'), ('price', 'source')
    ) as listed (of_table, of_column)
  loop
    for entry in execute format(
      'select id, plain from (select id, %2$I as written, trim(regexp_replace(%2$I, %3$L, '' '', ''g'')) as plain from %1$I) each
        where plain <> written order by id', field.of_table, field.of_column, blanks)
    loop
      begin
        execute format('update %I set %I = $1 where id = $2', field.of_table, field.of_column) using entry.plain, entry.id;
      exception when unique_violation then
        null;
      end;
    end loop;
  end loop;
end
$$;
