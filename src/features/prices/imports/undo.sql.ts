import { sql } from 'kysely'
import type { WrittenImport } from '#features/imports/imports.sql.ts'
import type { Db } from '#server/db/pool.ts'

const ofImport = ({ importId, ids }: WrittenImport) =>
  sql`id between ${ids?.first ?? 1} and ${ids?.last ?? 0} and import_id = ${importId}`

/** How many prices of an import are still as it wrote them. */
export async function countUnchangedPrices(db: Db, written: WrittenImport): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from price where ${ofImport(written)} and updated_at = created_at`.execute(db)
  return rows[0]?.n ?? 0
}

/** Deletes the prices of an import that are still as it wrote them; their triggers keep the rollups. Returns how many. */
export async function deleteUnchangedPrices(tx: Db, written: WrittenImport): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from price where ${ofImport(written)} and updated_at = created_at`.execute(tx)
  return Number(numAffectedRows)
}
