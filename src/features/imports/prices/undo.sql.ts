import { sql } from 'kysely'
import type { WrittenImport } from '#features/imports/imports.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { type Touched, touchedBy } from '#server/db/touched.ts'

const ofImport = ({ importId, ids }: WrittenImport) =>
  sql`id between ${ids?.first ?? 1} and ${ids?.last ?? 0} and import_id = ${importId}`

const stillRevised = ({ importId }: WrittenImport) =>
  sql`revision.import_id = ${importId} and price.id = revision.price_id and price.updated_at = revision.revised_at`

/** Counts the prices of an import that are unchanged since it wrote or revised them. */
export async function countUnchangedPrices(db: Db, written: WrittenImport): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from price where ${ofImport(written)} and updated_at = created_at) +
           (select count(*) from price_revision revision, price where ${stillRevised(written)}) as n`.execute(
    db,
  )
  return rows[0]?.n ?? 0
}

/** Deletes the prices that an import added and that are unchanged since; their triggers update the rollups. */
export function deleteUnchangedPrices(tx: Db, written: WrittenImport): Promise<Touched> {
  return touchedBy(
    tx,
    sql`delete from price where ${ofImport(written)} and updated_at = created_at returning id`,
  )
}

/**
 * Restores the previous amounts of the prices that an import revised and that are unchanged since, with their previous
 * version (`updated_at`): the import that wrote them can still be undone, and a form opened before the revision can be
 * saved. Returns the number restored.
 */
export async function restoreRevisedPrices(tx: Db, written: WrittenImport): Promise<number> {
  const { numAffectedRows } = await sql`
    update price set price_value = revision.price_value, currency = revision.currency,
           updated_at = coalesce(revision.updated_at, price.updated_at)
      from price_revision revision where ${stillRevised(written)}`.execute(tx)
  return Number(numAffectedRows)
}
