import { type RawBuilder, sql } from 'kysely'
import type { CreatedRows } from '#features/imports/imports.sql.ts'
import type { Created, CreatedNames } from '#features/imports/report.contract.ts'
import type { Db } from '#server/db/pool.ts'

type Table = keyof CreatedRows

// Those that refer to others come before them.
const tables = ['product', 'product_type', 'category', 'brand', 'market'] as const satisfies readonly Table[]

// What refers to a row of each.
const users = {
  product: ['price', 'product_id'],
  product_type: ['product', 'type_id'],
  category: ['product_type', 'category_id'],
  brand: ['product', 'brand_id'],
  market: ['price', 'market_id'],
} as const satisfies Record<Table, readonly [user: string, column: string]>

/** What the transaction has created so far in the catalogue and among markets: exactly its own rows. */
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

/** The names of what the transaction has created so far, the first fifty of each. */
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

/** How many created products are as they were created, and used by nothing. */
export async function countUnusedProducts(db: Db, created: CreatedRows): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from product where ${isUnused('product', created)}`.execute(db)
  return rows[0]?.n ?? 0
}

/**
 * Deletes created rows that nobody has changed since and nothing refers to any more.
 *
 * @returns how many of each
 * @throws a foreign key violation when somebody begins to use one meanwhile: doing it again is right
 */
export async function deleteUnusedRows(tx: Db, created: CreatedRows) {
  const deleted = { market: 0, category: 0, product_type: 0, brand: 0, product: 0 }
  for (const table of tables) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ${isUnused(table, created)}`.execute(tx)
    deleted[table] = Number(numAffectedRows)
  }
  return deleted
}

function isUnused(table: Table, created: CreatedRows): RawBuilder<unknown> {
  const [user, column] = users[table]
  return sql`id = any(${sql.val(created[table])}) and updated_at = created_at and not exists (
    select from ${sql.table(user)} where ${sql.ref(`${user}.${column}`)} = ${sql.ref(`${table}.id`)})`
}
