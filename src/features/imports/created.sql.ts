import { type RawBuilder, sql } from 'kysely'
import type { CreatedRows } from '#features/imports/imports.sql.ts'
import type { Created, CreatedNames } from '#features/imports/report.contract.ts'
import type { Db } from '#server/db/pool.ts'

type Table = keyof CreatedRows

// Referring tables come before the tables they refer to.
const tables = ['product', 'product_type', 'category', 'brand', 'market'] as const satisfies readonly Table[]

// What people base on a product or a market, which would be deleted with it.
const basedOnIt = ['price', 'follow', 'alert_rule', 'share', 'market_list', 'collection_entry'] as const

// The column by which other tables refer to a row of each, and these tables.
const references: Record<Table, { column: string; tables: readonly string[] }> = {
  product: { column: 'product_id', tables: basedOnIt },
  product_type: { column: 'type_id', tables: ['product', 'product_type_weight'] },
  category: { column: 'category_id', tables: ['product_type'] },
  brand: { column: 'brand_id', tables: ['product'] },
  market: { column: 'market_id', tables: [...basedOnIt, 'agent_market', 'planned_visit'] },
}

/** Returns the catalogue and market rows created so far by this transaction, and by no other. */
export async function listCreatedRows(tx: Db): Promise<CreatedRows> {
  const created: CreatedRows = { market: [], category: [], product_type: [], brand: [], product: [] }
  for (const table of tables) {
    const { rows } = await sql<{ id: number }>`
      select id from ${sql.table(table)} where xmin = pg_current_xact_id()::xid order by id`.execute(tx)
    created[table] = rows.map(({ id }) => id)
  }
  return created
}

const mostNames = 50

/** Returns the names of the rows created so far by this transaction, the first fifty of each table. */
export async function listCreatedNames(tx: Db, created: Created): Promise<CreatedNames> {
  const named = async (table: Table, name: RawBuilder<unknown>, count: number) => {
    if (count === 0) return []
    const { rows } = await sql<{ name: string }>`
      select ${name} as name from ${sql.table(table)} where xmin = pg_current_xact_id()::xid
       order by id limit ${mostNames}`.execute(tx)
    return rows.map((row) => row.name)
  }
  return {
    markets: await named('market', sql`name || ' (' || location || ')'`, created.markets),
    categories: await named('category', sql`name`, created.categories),
    types: await named('product_type', sql`name`, created.types),
    brands: await named('brand', sql`name`, created.brands),
    products: await named('product', sql`name || ' · ' || weight || ' · ' || format`, created.products),
  }
}

/** Counts the created products that are unchanged and not referred to. */
export async function countUnusedProducts(db: Db, created: CreatedRows): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from product where ${isUnused('product', created)}`.execute(db)
  return rows[0]?.n ?? 0
}

/**
 * Deletes created rows that are unchanged since and no longer referred to.
 *
 * @returns the number deleted from each table
 * @throws a foreign key violation when a row becomes used meanwhile: retry
 */
export async function deleteUnusedRows(tx: Db, created: CreatedRows) {
  const deleted = { market: 0, category: 0, product_type: 0, brand: 0, product: 0 }
  for (const table of tables) {
    // Waits for whoever is about to refer to one: the next statement then sees the reference.
    await sql`select from ${sql.table(table)} where id = any(${sql.val(created[table])}) order by id for update`.execute(
      tx,
    )
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ${isUnused(table, created)}`.execute(tx)
    deleted[table] = Number(numAffectedRows)
  }
  return deleted
}

function isUnused(table: Table, created: CreatedRows): RawBuilder<unknown> {
  const { column, tables: referring } = references[table]
  const unreferred = referring.map(
    (user) => sql`not exists (
      select from ${sql.table(user)} where ${sql.ref(`${user}.${column}`)} = ${sql.ref(`${table}.id`)})`,
  )
  return sql`id = any(${sql.val(created[table])}) and updated_at = created_at and ${sql.join(unreferred, sql` and `)}`
}
