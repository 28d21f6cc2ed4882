import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

/** The planner's estimate of reading prices: its cost (planner units) and the number of rows. */
type Reading = { cost: number; rows: number }

/**
 * Highest planner cost allowed during a request: for counts, about 1.5 million prices read sequentially; for figures,
 * which read them several times, half a million. Beyond it the response is the planner's estimate.
 */
const mostCost = { count: 50_000, figures: 15_000 }

export function isWithinBudget({ cost }: Reading, of: keyof typeof mostCost): boolean {
  return cost <= mostCost[of]
}

/**
 * Returns the estimated cost of reading the prices that match a condition, without reading any.
 *
 * @param columns the columns read; where an index covers them, the table is not read
 */
export async function estimateReading(
  db: Db,
  condition: RawBuilder<boolean>,
  columns: RawBuilder<unknown> = sql`1`,
): Promise<Reading> {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Total Cost': number; 'Plan Rows': number } }] }>`
    explain (format json) select ${columns} from price where ${condition}`.execute(db)
  const plan = rows[0]?.['QUERY PLAN'][0].Plan
  if (!plan) throw new Error('a plan has one row')
  return { cost: plan['Total Cost'], rows: plan['Plan Rows'] }
}
