import { sql } from 'kysely'
import type { WrittenImport } from '#features/imports/imports.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { type Touched, touchedBy } from '#server/db/touched.ts'

const ofImport = ({ importId, ids }: WrittenImport) =>
  sql`id between ${ids?.first ?? 1} and ${ids?.last ?? 0} and import_id = ${importId}`

const stillRevised = ({ importId }: WrittenImport) =>
  sql`revision.import_id = ${importId} and price.id = revision.price_id and price.updated_at = revision.revised_at`

/** How many prices of an import are still as it wrote or revised them. */
export async function countUnchangedPrices(db: Db, written: WrittenImport): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from price where ${ofImport(written)} and updated_at = created_at) +
           (select count(*) from price_revision revision, price where ${stillRevised(written)}) as n`.execute(
    db,
  )
  return rows[0]?.n ?? 0
}

/** Deletes the prices of an import that are still as it wrote them; their triggers keep the rollups. */
export function deleteUnchangedPrices(tx: Db, written: WrittenImport): Promise<Touched> {
  return touchedBy(
    tx,
    sql`delete from price where ${ofImport(written)} and updated_at = created_at returning id`,
  )
}

/**
 * Gives the prices that an import revised, and nobody has touched since, what they were before, as if nothing
 * had been: its import can be undone as well, and a mapping made from it may be saved. Returns how many.
 */
export async function restoreRevisedPrices(tx: Db, written: WrittenImport): Promise<number> {
  const { numAffectedRows } = await sql`
    update price set price_value = revision.price_value, currency = revision.currency,
           updated_at = coalesce(revision.updated_at, price.updated_at)
      from price_revision revision where ${stillRevised(written)}`.execute(tx)
  return Number(numAffectedRows)
}
