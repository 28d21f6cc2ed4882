import { sql } from 'kysely'
import type { Step } from '#features/statistics/statistics.contract.ts'
import type { Days } from '#features/statistics/statistics.rules.ts'
import type { Db } from '#server/db/pool.ts'

export type Growth = { date: string; count: number; total: number }

const mostSteps = 400
/** Number of steps when no days are given. */
const usual: Record<Step, number> = { day: 30, week: 26, month: 12, year: 5 }

/**
 * Counts the subscriptions created in each step, and in total until its end; the last 400 steps. A step without any has
 * 0.
 */
export async function listSubscriptionGrowth(
  db: Db,
  step: Step,
  { startDate, endDate }: Days,
  today: string,
): Promise<Growth[]> {
  const last = sql`date_trunc(${step}, ${endDate ?? today}::date::timestamp)`
  const every = sql`(${`1 ${step}`})::interval`
  const first = startDate
    ? sql`greatest(date_trunc(${step}, ${startDate}::date::timestamp), ${last} - ${mostSteps - 1}::integer * ${every})`
    : sql`${last} - ${usual[step] - 1}::integer * ${every}`
  const { rows } = await sql<Growth>`
    with bounds as (
      select ${first} as first, greatest(${first}, ${startDate ?? null}::date::timestamp) as starts,
             ${endDate ?? null}::date + 1 as ends),
    created as (
      select subscription.created_at at time zone 'Africa/Kinshasa' as at, bounds.* from subscription, bounds),
    counted as (
      select date_trunc(${step}, at) as starts, count(*) as n from created
       where at >= starts and (ends is null or at < ends) group by 1),
    step as (select generate_series(first, ${last}, ${every}) as starts from bounds)
    select step.starts::date as date, coalesce(n, 0) as count,
           ((select count(*) from created where at < created.starts)
             + coalesce(sum(n) over (order by step.starts), 0))::bigint as total
      from step left join counted using (starts) order by 1`.execute(db)
  return rows
}
