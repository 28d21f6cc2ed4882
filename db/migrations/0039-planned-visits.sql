-- Visits that supervisors plan: an agent in a market, on a day or each week on one day of it.
create table planned_visit (
  id bigint generated always as identity constraint planned_visit_pkey primary key,
  market_id integer not null constraint planned_visit_market_fkey references market on delete cascade,
  user_id integer not null constraint planned_visit_user_fkey references app_user on delete cascade,
  day date,
  -- 1 is Monday, as in isodow.
  weekday smallint constraint planned_visit_weekday_range check (weekday between 1 and 7),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint planned_visit_rhythm check (num_nonnulls(day, weekday) = 1),
  constraint planned_visit_once unique nulls not distinct (user_id, market_id, day, weekday)
);
create index planned_visit_market on planned_visit (market_id);
create trigger planned_visit_touched before update on planned_visit for each row execute function touch_updated_at();

-- The days of plans up to a day, each with whether its agent came: on that day, or for a weekly one in that week.
create function planned_days(since date, until date)
  returns table (plan_id bigint, user_id integer, market_id integer, due_on date, is_done boolean)
  language sql stable as $$
  select plan.id, plan.user_id, plan.market_id, due.at::date,
         exists (select from collection_entry entry
                  where entry.user_id = plan.user_id and entry.market_id = plan.market_id and entry.answers is null
                    and date_trunc(case when plan.day is null then 'week' else 'day' end,
                                   entry.captured_at at time zone market.time_zone)
                      = date_trunc(case when plan.day is null then 'week' else 'day' end, due.at))
    from planned_visit plan
    join market on market.id = plan.market_id
   cross join lateral generate_series(since::timestamp, until::timestamp, interval '1 day') due (at)
   where due.at::date = plan.day
      or extract(isodow from due.at) = plan.weekday and due.at::date >= (plan.created_at at time zone market.time_zone)::date
$$;
