-- The address of a comparison names its series in one parameter, `series=3-18,4-18`: they move with their product too.
create function move_series(search text, merged integer, target integer) returns text language sql immutable as $$
  select coalesce(replace(search, found[1],
      regexp_replace(found[1], '(=|,|%2C)' || merged || '-(?=[0-9])', '\1' || target || '-', 'gi')), search)
    from (select regexp_match(search, '(?:^|[?&])(series=[^&]*)') as found) matched
$$;

create or replace function move_selections(filter text, merged integer, target integer) returns void language plpgsql as $$
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
  if filter = 'productId' then
    update saved_view set search = move_series(search, merged, target) where search <> move_series(search, merged, target);
    update share set search = move_series(search, merged, target) where search <> move_series(search, merged, target);
  end if;
end
$$;
