import { sql } from 'kysely'
import type { DashboardFigures } from '#features/dashboard/dashboard.contract.ts'
import { allTrue } from '#features/figures/rollups/rollups.sql.ts'
import type { Days } from '#features/statistics/statistics.rules.ts'
import type { Db } from '#server/db/pool.ts'

/**
 * Counts the prices entered by an account, on a day and in a period, by local day as in the list of prices.
 *
 * @param days calendar days of the period; without a first one, from the beginning
 */
export async function countOwn(
  db: Db,
  userId: number,
  { startDate, endDate, today }: Days & { today: string },
): Promise<NonNullable<DashboardFigures['own']>> {
  const since = (day: string) => sql`observed_on >= ${day}::date`
  const until = (day: string) => sql`observed_on <= ${day}::date`
  const first = startDate && startDate < today ? startDate : today
  const { rows } = await sql<NonNullable<DashboardFigures['own']>>`
    select count(*) filter (where observed_on = ${today}::date) as today,
           count(*) filter (where ${allTrue([startDate !== undefined && since(startDate), endDate !== undefined && until(endDate)])}) as "inPeriod",
           (select max(collected_at) from price where written_by = ${userId}) as "lastCollectedAt"
      from price
     where written_by = ${userId}
       -- A condition that the index on writers can use, one day wider, because no time zone is a day from UTC.
       and ${startDate ? sql`collected_at >= (${first}::date - 1)::timestamp at time zone 'UTC'` : sql`true`}`.execute(
    db,
  )
  const [own] = rows
  if (!own) throw new Error('an aggregate without groups answers one row')
  return own
}

export async function countPendingPayments(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from payment where status = 'PENDING'`.execute(db)
  return rows[0]?.n ?? 0
}
