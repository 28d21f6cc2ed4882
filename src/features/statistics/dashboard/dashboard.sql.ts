import { sql } from 'kysely'
import { allTrue } from '#features/prices/rollups/rollups.sql.ts'
import type { DashboardFigures } from '#features/statistics/dashboard/dashboard.contract.ts'
import type { Days } from '#features/statistics/statistics.rules.ts'
import type { Db } from '#server/db/pool.ts'

/**
 * What somebody collected himself, on a day and in a period, both in Kinshasa.
 *
 * @param days calendar days of the period; without a first one, from the beginning
 */
export async function countOwn(
  db: Db,
  userId: number,
  { startDate, endDate, today }: Days & { today: string },
): Promise<NonNullable<DashboardFigures['own']>> {
  const since = (day: string) => sql`collected_at >= (${day}::date::timestamp at time zone 'Africa/Kinshasa')`
  const until = (day: string) =>
    sql`collected_at < ((${day}::date + 1)::timestamp at time zone 'Africa/Kinshasa')`
  const { rows } = await sql<NonNullable<DashboardFigures['own']>>`
    select count(*) filter (where ${since(today)}) as today,
           count(*) filter (where ${allTrue([startDate !== undefined && since(startDate), endDate !== undefined && until(endDate)])}) as "inPeriod",
           (select max(collected_at) from price where written_by = ${userId}) as "lastCollectedAt"
      from price where written_by = ${userId}
                   and ${startDate ? since(startDate < today ? startDate : today) : sql`true`}`.execute(db)
  const [own] = rows
  if (!own) throw new Error('an aggregate without groups answers one row')
  return own
}

export async function countPendingPayments(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from payment where status = 'PENDING'`.execute(db)
  return rows[0]?.n ?? 0
}

/** Subscriptions in force that end within a week. */
export async function countEndingSubscriptions(db: Db, now: Date): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from subscription
     where status in ('ACTIVE', 'TRIAL') and end_date > ${now} and end_date <= ${now}::timestamptz + interval '7 days'`.execute(
    db,
  )
  return rows[0]?.n ?? 0
}
