-- When a price was collected of which only the day is known: at noon on the clocks of its market, or now if that comes first.
create function noon_of(day date, time_zone text) returns timestamptz language sql stable parallel safe as $$
  select least((day + time '12:00') at time zone time_zone, now())
$$;
