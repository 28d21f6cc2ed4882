-- Names are compared and searched without regard to case or accents (« mais » finds « Maïs »).
create extension if not exists unaccent;
create extension if not exists pg_trgm;

-- unaccent() is only stable because its dictionary could change; ours never does, so indexes may rest on it.
create function fold(value text) returns text
  language sql immutable strict parallel safe
  return lower(unaccent('unaccent'::regdictionary, value));

-- A search matches letters literally: % and _ are letters like others.
create function contains_pattern(value text) returns text
  language sql immutable strict parallel safe
  return '%' || regexp_replace(fold(value), '([\\%_])', '\\\1', 'g') || '%';

-- Later than before even when two writes fall in the same millisecond, so that it can serve as a version.
create function touch_updated_at() returns trigger
  language plpgsql as $$
begin
  new.updated_at := greatest(now(), old.updated_at + interval '1 millisecond');
  return new;
end
$$;
