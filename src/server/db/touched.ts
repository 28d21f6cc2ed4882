import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

/** Number of ids that an entry of the journal lists. */
export const mostTouchedIds = 200

/** Number of rows that a statement changed, and the ids of the first `mostTouchedIds` of them. */
export type Touched = { count: number; ids: number[] }

/**
 * Runs a write and returns the number of rows that it changed, with the first ids.
 *
 * @param statement a write that returns `id`
 */
export async function touchedBy(tx: Db, statement: RawBuilder<unknown>): Promise<Touched> {
  const { rows } = await sql<Touched>`
    with touched as (${statement})
    select (select count(*) from touched) as count,
           (select coalesce(json_agg(id), '[]') from (select id from touched order by id limit ${mostTouchedIds}) named) as ids`.execute(
    tx,
  )
  return rows[0]!
}
