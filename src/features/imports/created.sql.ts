import { sql } from 'kysely'
import type { CreatedRows } from '#features/imports/imports.sql.ts'
import type { Db } from '#server/db/pool.ts'

// What refers to a row of each table; those that refer come before those that they refer to.
const references = [
  ['product', [['price', 'product_id']]],
  ['product_type', [['product', 'type_id']]],
  ['category', [['product_type', 'category_id']]],
  ['brand', [['product', 'brand_id']]],
  ['market', [['price', 'market_id']]],
] as const satisfies readonly (readonly [keyof CreatedRows, readonly (readonly [string, string])[]])[]

/** What the transaction has created so far in the catalogue and among markets: exactly its own rows. */
export async function listCreatedRows(tx: Db): Promise<CreatedRows> {
  const created: CreatedRows = { market: [], category: [], product_type: [], brand: [], product: [] }
  for (const [table] of references) {
    const { rows } = await sql<{ id: number }>`
      select id from ${sql.table(table)} where xmin = pg_current_xact_id()::xid order by id`.execute(tx)
    created[table] = rows.map(({ id }) => id)
  }
  return created
}

/**
 * Deletes created rows that nobody has changed since and nothing refers to any more.
 *
 * @returns how many
 * @throws a foreign key violation when somebody begins to use one meanwhile: doing it again is right
 */
export async function deleteUnusedRows(tx: Db, created: CreatedRows): Promise<number> {
  let deleted = 0
  for (const [table, users] of references) {
    const isUsed = users.map(
      ([user, column]) =>
        sql`exists (select from ${sql.table(user)} where ${sql.ref(`${user}.${column}`)} = ${sql.ref(`${table}.id`)})`,
    )
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)}
       where id = any(${sql.val(created[table])}) and updated_at = created_at and not (${sql.join(isUsed, sql` or `)})`.execute(
      tx,
    )
    deleted += Number(numAffectedRows)
  }
  return deleted
}
