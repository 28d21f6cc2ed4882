import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

/** Locks a row until the transaction ends, so that values read next stay valid. Does nothing if the row is absent. */
export async function lockRow(tx: Db, table: string, id: number): Promise<void> {
  await sql`select from ${sql.table(table)} where id = ${id}::bigint for update`.execute(tx)
}
