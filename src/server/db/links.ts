import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

/** A table that says which rows of one kind belong to a row of another, and no more. */
export type LinkTable = { table: string; of: string; to: string }

/** Gives a row exactly these others. */
export async function setLinks(
  tx: Db,
  { table, of, to }: LinkTable,
  id: number,
  ids: readonly number[],
): Promise<void> {
  const [rows, owner, other] = [sql.table(table), sql.ref(of), sql.ref(to)]
  await sql`delete from ${rows} where ${owner} = ${id} and ${other} <> all(${ids}::integer[])`.execute(tx)
  await sql`insert into ${rows} (${owner}, ${other}) select ${id}::integer, unnest(${ids}::integer[])
            on conflict do nothing`.execute(tx)
}
