import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

/** Deletes a row by id. */
export async function deleteRow(tx: Db, table: string, id: number): Promise<void> {
  await sql`delete from ${sql.table(table)} where id = ${id}`.execute(tx)
}
