import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

/** Number of days before the last price during which agents used their phones. */
const fieldDays = 30

/**
 * Inserts the recent field work of the agents, derived from the existing prices: their assigned markets, the planned
 * visits, the entries of the visits done, the missing products, and the visits to come.
 */
export async function insertFieldWork(tx: Db, agentIds: readonly number[]): Promise<void> {
  await sql`
    insert into agent_market (user_id, market_id)
    select distinct written_by, market_id from price
     where written_by = any (${agentIds}::integer[]) and observed_on > ${since(90)}`.execute(tx)
  // A market that the agent visits nearly every week has a weekly plan; the others have one plan per day, with one
  // visit to come.
  await sql`
    with visited as (
      select written_by as user_id, market_id, observed_on as day from price
       where written_by = any (${agentIds}::integer[]) and observed_on > ${since(fieldDays)} group by 1, 2, 3),
    weekly as (
      select user_id, market_id, mode() within group (order by extract(isodow from day)) as weekday
        from visited group by 1, 2 having count(distinct date_trunc('week', day)) >= 4),
    daily as (select * from visited where not exists (select from weekly where (user_id, market_id) = (visited.user_id, visited.market_id)))
    insert into planned_visit (user_id, market_id, day, weekday, created_at)
    select user_id, market_id, null, weekday, ${since(fieldDays)} from weekly
     union all select user_id, market_id, day, null, day from daily
     union all select distinct user_id, market_id, ${since(0)} + 1 + (user_id + market_id) % 6, null::smallint, ${since(0)} from daily`.execute(
    tx,
  )
  await sql`
    insert into collection_entry
      (client_id, user_id, device, market_id, product_id, kind, is_blind, body_hash, device_at, captured_at, received_at, price_id)
    select md5('price ' || id)::uuid, written_by, 'demonstration', market_id, product_id,
           case when price_value = before and currency = currency_before and not is_blind then 'unchanged' else 'typed' end,
           is_blind, sha256(id::text::bytea), collected_at, collected_at, collected_at + interval '4 hours', id
      from (select price.*, id % 10 = 3 as is_blind, lag(price_value) over series as before,
                   lag(currency) over series as currency_before
              from price where observed_on > ${since(2 * fieldDays)}
            window series as (partition by product_id, market_id order by observed_on, collected_at, id)) quote
     where written_by = any (${agentIds}::integer[]) and observed_on > ${since(fieldDays)}`.execute(tx)
  // Reports a product as absent when it is usually priced in that market (4 times in 90 days or more) and has no price
  // within four days of the visit.
  await sql`
    insert into collection_entry
      (client_id, user_id, device, market_id, product_id, kind, reason, is_blind, body_hash, device_at, captured_at, received_at)
    select md5(concat('absent ', visit.user_id, ' ', visit.market_id, ' ', habit.product_id, ' ', visit.day))::uuid,
           visit.user_id, 'demonstration', visit.market_id, habit.product_id, 'absent',
           case when habit.product_id % 4 = 0 then 'saison' else 'rupture' end, false,
           sha256(concat(visit.market_id, ' ', habit.product_id, ' ', visit.day)::bytea), visit.at, visit.at,
           visit.at + interval '4 hours'
      from (select user_id, market_id, captured_at::date as day, max(captured_at) as at
              from collection_entry group by 1, 2, 3) visit
      join (select market_id, product_id from price where observed_on > ${since(90)}
             group by 1, 2 having count(*) >= 4) habit using (market_id)
     where (habit.product_id + visit.market_id + extract(doy from visit.day)::integer) % 4 = 0
       and not exists (select from price
                        where price.product_id = habit.product_id and price.market_id = visit.market_id
                          and price.observed_on between visit.day - 4 and visit.day + 4)`.execute(tx)
}

function since(days: number) {
  return sql`(select max(observed_on) from price) - ${days}::integer`
}
