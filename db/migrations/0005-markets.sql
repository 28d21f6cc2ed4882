-- Markets, and the agents who are expected to collect there.
create table market (
  id integer generated always as identity constraint market_pkey primary key,
  name text not null constraint market_name_length check (length(name) between 1 and 200),
  location text not null constraint market_location_length check (length(location) between 1 and 200),
  province text constraint market_province_length check (length(province) between 1 and 100),
  latitude numeric(8, 5) constraint market_latitude_range check (latitude between -90 and 90),
  longitude numeric(8, 5) constraint market_longitude_range check (longitude between -180 and 180),
  time_zone text not null default 'Africa/Kinshasa'
    constraint market_time_zone_known check (time_zone in ('Africa/Kinshasa', 'Africa/Lubumbashi')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint market_coordinates_paired check ((latitude is null) = (longitude is null))
);
create unique index market_name_key on market (fold(name), fold(location));
create index market_by_name on market (name collate "fr-x-icu", id);
create index market_search on market using gin (fold(name || ' ' || location) gin_trgm_ops);
create index market_by_location on market (fold(location));
create trigger market_touch before update on market for each row execute function touch_updated_at();

create table agent_market (
  user_id integer not null constraint agent_market_user_fkey references app_user on delete cascade,
  market_id integer not null constraint agent_market_market_fkey references market on delete cascade,
  constraint agent_market_pkey primary key (user_id, market_id)
);
create index agent_market_market on agent_market (market_id);
