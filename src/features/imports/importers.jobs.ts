import type { ImportKind } from '#features/imports/imports.contract.ts'
import {
  type ImportOptions,
  type ImportOutcome,
  importPrices,
} from '#features/prices/imports/imports.jobs.ts'
import type { Database } from '#server/db/pool.ts'

/**
 * Reads a file and writes what it brings, all of it in one transaction with one entry in the journal.
 *
 * It calls `onWritten` at the end of that transaction, obeys `signal`, and throws an AppError 400 with a French message
 * for a file that cannot be read as a whole.
 */
export type Importer = (
  pool: Database['pool'],
  source: AsyncIterable<Uint8Array>,
  options: ImportOptions,
) => Promise<ImportOutcome>

/** What reads each kind of file: the one place to add to for another. */
export const importers: Partial<Record<ImportKind, Importer>> = {
  prices: importPrices,
}
