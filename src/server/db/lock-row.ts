import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

/** Holds a row until the transaction ends, so that what is read of it next stays true. Locks nothing if it is not there. */
export async function lockRow(tx: Db, table: string, id: number): Promise<void> {
  await sql`select from ${sql.table(table)} where id = ${id}::bigint for update`.execute(tx)
}
