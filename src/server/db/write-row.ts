import { type InsertObject, sql, type UpdateObject } from 'kysely'
import type { Db } from '#server/db/pool.ts'
import type { Tables } from '#server/db/tables.ts'

/** Inserts a row; a column that is undefined gets its default. @returns its id */
export async function insertRow<Table extends keyof Tables>(
  tx: Db,
  table: Table,
  values: InsertObject<Tables, Table>,
): Promise<number> {
  const given = givenIn(values)
  const { rows } = await sql<{ id: number }>`
    insert into ${sql.table(table)} (${sql.join(given.map(([column]) => sql.ref(column)))})
    values (${sql.join(given.map(([, value]) => value))}) returning id`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('an insert of one row returns it')
  return row.id
}

/** Updates the columns of a row that are not undefined. */
export async function updateRow<Table extends keyof Tables>(
  tx: Db,
  table: Table,
  id: number,
  changes: UpdateObject<Tables, Table>,
): Promise<void> {
  const given = givenIn(changes)
  if (given.length === 0) return
  const set = given.map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  await sql`update ${sql.table(table)} set ${sql.join(set)} where id = ${id}`.execute(tx)
}

function givenIn(columns: object): [column: string, value: unknown][] {
  return Object.entries(columns).filter(([, value]) => value !== undefined)
}
