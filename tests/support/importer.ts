import { sql } from 'kysely'
import { importPrices } from '#features/imports/prices/imports.jobs.ts'
import type { Db } from '#server/db/pool.ts'
import { testDatabase } from './database.ts'
import { bytesOf } from './price-files.ts'

/** Creates a private database, and a function that imports a file into it. */
export async function testImporter() {
  const database = await testDatabase()
  const run = (content: string | Uint8Array, options?: Parameters<typeof importPrices>[2]) =>
    importPrices(database.pool, bytesOf(content), options)
  return { ...database, run }
}

/** Counts the rows of each table that an import may write. */
export async function countAll(db: Db): Promise<Record<string, number>> {
  const tables = [
    'price',
    'market',
    'product',
    'brand',
    'product_type',
    'category',
    'audit_entry',
    'price_day',
  ]
  const counts = tables.map(
    (table) => sql`(select count(*)::int from ${sql.table(table)}) as ${sql.ref(table)}`,
  )
  const { rows } = await sql<Record<string, number>>`select ${sql.join(counts)}`.execute(db)
  return rows[0] ?? {}
}

export const nothing = {
  price: 0,
  market: 0,
  product: 0,
  brand: 0,
  product_type: 0,
  category: 0,
  audit_entry: 0,
  price_day: 0,
}
