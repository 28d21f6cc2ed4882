-- The list of prices goes from the last collected to the first: within a day, by the hour.
create index price_by_moment on price (observed_on, collected_at, id);
drop index price_by_day;
alter index price_by_moment rename to price_by_day;
