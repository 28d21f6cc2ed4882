import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

/** Resolves once so many connections of this database wait for a lock; fails after 10 s. */
export async function untilWaiting(db: Db, connections: number): Promise<void> {
  const deadline = Date.now() + 10_000
  for (;;) {
    const { rows } = await sql<{ waiting: number }>`
      select count(*) as waiting from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    if (rows[0]?.waiting === connections) return
    if (Date.now() > deadline) throw new Error(`${rows[0]?.waiting} connections wait, not ${connections}`)
  }
}
