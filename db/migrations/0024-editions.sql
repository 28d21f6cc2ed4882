-- Editions: all prices up to the end of a month as files that never change. A correction is a later edition of the same month.
create table edition (
  number integer not null constraint edition_pkey primary key constraint edition_number_positive check (number > 0),
  -- Its first day; what is in it was observed until its last.
  month date not null constraint edition_month_begins check (extract(day from month) = 1),
  rows bigint not null constraint edition_rows_positive check (rows > 0),
  -- Which edition of the method it speaks of.
  method text not null,
  -- [{ format, name, bytes, sha256, storedAs }]
  files jsonb not null,
  superseded_by integer constraint edition_superseded_fkey references edition
    deferrable initially deferred,
  created_at timestamptz(3) not null default now()
);
create unique index edition_current on edition (month) where superseded_by is null;

-- What was published stays as it was: all that changes is that a later one takes its place.
create function keep_edition() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or (to_jsonb(new) - 'superseded_by') <> (to_jsonb(old) - 'superseded_by')
     or old.superseded_by is not null then
    raise exception 'editions never change';
  end if;
  return new;
end
$$;
create trigger edition_stays before update or delete on edition for each row execute function keep_edition();
