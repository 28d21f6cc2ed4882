import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

/** Waits for other imports to end, and blocks them until the transaction ends. */
export async function lockImports(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(7304)`.execute(tx)
}
