import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

/** Takes a row out of its table. */
export async function deleteRow(tx: Db, table: string, id: number): Promise<void> {
  await sql`delete from ${sql.table(table)} where id = ${id}`.execute(tx)
}
