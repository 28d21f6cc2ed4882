import { sql } from 'kysely'
import type { FieldWork } from '#features/collection/work/work.contract.ts'
import type { Db } from '#server/db/pool.ts'

const daysCounted = 30

/**
 * Returns the field work of agents in 30 days, the agent with the oldest last entry first.
 * @param userId restricts it to one agent
 */
export async function listFieldWork(db: Db, userId?: number): Promise<FieldWork[]> {
  const { rows } = await sql<FieldWork>`
    with said as materialized (
      select entry.user_id, entry.market_id, entry.product_id, kind, captured_at,
             (captured_at at time zone market.time_zone)::date as day
        from collection_entry entry join market on market.id = entry.market_id
       where captured_at > now() - interval '1 day' * ${daysCounted} and not is_replaced and answers is null
         and user_id is not null),
    visit as (
      select user_id, market_id, day, count(distinct product_id) as goods,
             extract(epoch from max(captured_at) - min(captured_at)) / 60 as minutes
        from said group by 1, 2, 3),
    visited as (
      select user_id, count(*) as visits, count(distinct market_id) as markets, avg(goods)::float8 as goods,
             avg(minutes)::float8 as minutes
        from visit group by 1),
    priced as (
      select user_id, market_id, count(*) as n, count(*) filter (where kind = 'unchanged') as unchanged
        from said where kind <> 'absent' group by 1, 2),
    own as (select user_id, sum(n) as n, sum(unchanged) as unchanged from priced group by 1),
    others as (
      select mine.user_id, sum(theirs.n) as n, sum(theirs.unchanged) as unchanged
        from priced mine join priced theirs on theirs.market_id = mine.market_id and theirs.user_id <> mine.user_id
       group by 1),
    planned as (
      select user_id, count(*) as n, count(*) filter (where is_done) as done
        from planned_days((now() - interval '1 day' * ${daysCounted})::date, (now() at time zone 'Africa/Kinshasa')::date)
       group by 1),
    returned as (
      select agent_id as user_id, count(*) as n from price_review
       where returned_at > now() - interval '1 day' * ${daysCounted} group by 1)
    select json_build_object('id', u.id, 'name', u.name) as agent, coalesce(visited.visits, 0) as visits,
           coalesce(planned.n, 0) as planned, coalesce(planned.done, 0) as "plannedDone",
           coalesce(visited.markets, 0) as markets, visited.goods as "goodsPerVisit", visited.minutes as "minutesPerVisit",
           (case when own.n > 0 then least(1, coalesce(returned.n, 0) / own.n) end)::float8 as "returnedShare",
           (own.unchanged / nullif(own.n, 0))::float8 as "unchangedShare",
           (others.unchanged / nullif(others.n, 0))::float8 as "othersUnchangedShare",
           (last.at at time zone 'Africa/Kinshasa')::date as "lastVisitOn"
      from app_user u
      left join visited on visited.user_id = u.id
      left join planned on planned.user_id = u.id
      left join own on own.user_id = u.id
      left join others on others.user_id = u.id
      left join returned on returned.user_id = u.id
      left join lateral (
        select max(captured_at) as at from collection_entry where user_id = u.id and answers is null) last on true
     where ${userId === undefined ? sql`u.status = 'ACTIVE' and (last.at is not null or exists (select from agent_market where user_id = u.id))` : sql`u.id = ${userId}`}
     order by last.at nulls first, u.id limit 200`.execute(db)
  return rows
}
