import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

/** What the planner expects of reading prices: its cost, in its own units, and the rows that are left. */
type Reading = { cost: number; rows: number }

/**
 * So much may be read while somebody waits: to count, one and a half million prices from end to end; for figures, which go
 * through them several times, half a million. Beyond, the answer is what the planner expects.
 */
const mostCost = { count: 50_000, figures: 15_000 }

export function isWithinBudget({ cost }: Reading, of: keyof typeof mostCost): boolean {
  return cost <= mostCost[of]
}

/**
 * What reading the prices of a condition would cost, without reading any.
 *
 * @param columns what is read of them: where an index holds it, the prices are left alone
 */
export async function weighReading(
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
