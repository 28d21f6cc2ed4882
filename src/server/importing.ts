import type { Author } from '#server/audit.sql.ts'
import type { Database, Db } from '#server/db/pool.ts'
import type { Created, ImportReport, Rejection } from '#shared/import-report.ts'

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

/** What whoever asks for an import may say of it, whatever it brings. */
export type ImportOptions = {
  /** Do everything, tell what it would give, and keep nothing of it. */
  isDryRun?: boolean
  /** Currencies to read as others: `XAF` → `CDF`. */
  currencyMap?: ReadonlyMap<string, 'CDF' | 'USD'>
  /** Who imports, for the journal and as the writer of the prices; nobody when it is a command. */
  author?: Author
  /** For the journal. */
  fileName?: string
  /** The import that somebody asked for on a screen, which its prices and the journal then name. */
  importId?: number
  /** Ends the import as if it had not begun. */
  signal?: AbortSignal | undefined
  onProgress?: (progress: ImportProgress) => void
  /** Told every row that is refused, while the report tells only the first ones. */
  onRejected?: (rejection: Rejection) => void
  /** The last thing done in the transaction, unless it is a dry run: what must be kept with the import, or not at all. */
  onWritten?: (tx: Db, written: ImportOutcome & { priceIds: PriceIds | null }) => Promise<void>
}

/** Rows and bytes read so far; `stage` tells what the database does once all have been. */
export type ImportProgress = {
  stage: 'reading' | 'waiting' | 'matching' | 'writing' | 'done'
  rows: number
  bytes: number
}

export type ImportOutcome = ImportReport & { created: Created }

/** The prices of an import have ids from `first` to `last`; others may have been written between them. */
export type PriceIds = { first: number; last: number }
