import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

type Written = { importId: number; priceIds: { first: number; last: number } }

const ofImport = ({ importId, priceIds: { first, last } }: Written) =>
  sql`id between ${first} and ${last} and import_id = ${importId}`

/** How many prices of an import are still as it wrote them. */
export async function countUnchangedPrices(db: Db, written: Written): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from price where ${ofImport(written)} and updated_at = created_at`.execute(db)
  return rows[0]?.n ?? 0
}

/** Deletes the prices of an import that are still as it wrote them; their triggers keep the rollups. Returns how many. */
export async function deleteUnchangedPrices(tx: Db, written: Written): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from price where ${ofImport(written)} and updated_at = created_at`.execute(tx)
  return Number(numAffectedRows)
}
