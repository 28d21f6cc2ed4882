-- Functions that all other migrations use: the search of names, the version of a row. And one row about this installation.

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

-- One row.
create table installation (
  id boolean not null default true constraint installation_pkey primary key constraint installation_single check (id),
  -- Made-up prices were loaded: every screen says so for as long as they are there.
  has_demonstration_data boolean not null default false,
  -- Secret of this installation, for hashes of addresses (free_trial).
  trial_key bytea not null default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()),
  -- Entries of the journal up to this one are no sign that the clock runs behind: an operator has said that they were written
  -- under a clock that ran ahead.
  clock_accepted_entry bigint not null default 0
);
insert into installation default values;
