import type { IdRange, WrittenImport } from '#features/imports/imports.sql.ts'
import type {
  Created,
  CreatedNames,
  ImportReport,
  ImportWords,
  NameQuestion,
  Rejection,
} from '#features/imports/report.contract.ts'
import type { Mapping } from '#features/mappings/mappings.contract.ts'
import type { Author } from '#server/audit.sql.ts'
import { type Bulk, inBulkTransaction } from '#server/db/bulk-transaction.ts'
import type { Database, Db } from '#server/db/pool.ts'
import type { TableHead } from '#server/files/read-head.ts'

/** Imports one kind of file, and undoes such an import. */
export type Importer = {
  /**
   * Reads a file and writes its rows, in one transaction with one audit entry.
   *
   * Calls `onWritten` at the end of that transaction, obeys `signal`, and throws an AppError 400 with a French message
   * for a file that cannot be read as a whole.
   */
  read(
    pool: Database['pool'],
    source: AsyncIterable<Uint8Array>,
    options: ImportOptions,
  ): Promise<ImportOutcome>
  /** Counts the added rows that are unchanged since, which can be undone. */
  countKept(db: Db, written: WrittenImport): Promise<number>
  /**
   * Undoes what is unchanged since the import wrote it.
   *
   * @returns the number of added rows removed, and the details for the audit entry
   */
  undo(tx: Db, written: WrittenImport): Promise<{ removed: number; details: object }>
  words: ImportWords
  /** How to read tables in foreign formats, for a kind that accepts them. */
  mapped?: {
    /** Proposes a mapping for a table, given its first rows. */
    propose(db: Db, head: TableHead): Promise<Mapping>
    /** Returns the titles that identify a table: those that do not change from one file to the next. */
    lastingTitles(mapping: Mapping): readonly string[]
    /** Returns the errors of a mapping, by field. */
    faults(mapping: Mapping): { field: string; message: string }[]
  }
}

/** The options of an import of any kind. */
export type ImportOptions = {
  /** Does everything and reports the outcome, then rolls back. */
  isDryRun?: boolean
  /** Currencies to read as another: `XAF` → `CDF`. */
  currencyMap?: ReadonlyMap<string, 'CDF' | 'USD'>
  /** How to read the columns of a file in a foreign format. */
  mapping?: Mapping | null
  /** The importing user, for the journal and as the writer of the rows; absent for a command. */
  author?: Author
  /** For the journal. */
  fileName?: string
  /** The id of an import requested on a screen, recorded in its rows and in the journal. */
  importId?: number
  /** Aborts the import and rolls it back. */
  signal?: AbortSignal | undefined
  onProgress?: (progress: ImportProgress) => void
  /** Called with every rejected row; the report lists only the first ones. */
  onRejected?: (rejection: Rejection) => void
  /** Called at the end of the transaction, except in a dry run: for writes that must commit with the import. */
  onWritten?: (tx: Db, written: ImportOutcome & { ids: IdRange | null }) => Promise<void>
}

/**
 * Returns the reader of an importer: it runs `importInto` in one bulk transaction, which a dry run rolls back.
 */
export function importInBulk<Options extends ImportOptions>(
  importInto: (bulk: Bulk, source: AsyncIterable<Uint8Array>, options?: Options) => Promise<ImportOutcome>,
) {
  return (pool: Database['pool'], source: AsyncIterable<Uint8Array>, options?: Options) =>
    inBulkTransaction(pool, (bulk) => importInto(bulk, source, options), {
      isKept: options?.isDryRun !== true,
      signal: options?.signal,
    })
}

/** The author of an import by command. */
export const noAuthor: Author = { actor: null, requestId: null }

/**
 * Passes the bytes of a file through, and counts them.
 *
 * @throws the reason of `signal` once it is aborted
 */
export async function* countedBytes(
  source: AsyncIterable<Uint8Array>,
  progress: { bytes: number },
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of source) {
    signal?.throwIfAborted()
    progress.bytes += chunk.length
    yield chunk
  }
}

/** Rows and bytes read so far; `stage` tells what the database does after the whole file is read. */
export type ImportProgress = {
  stage: 'reading' | 'waiting' | 'matching' | 'writing' | 'done'
  rows: number
  bytes: number
}

export type ImportOutcome = ImportReport & {
  created: Created
  /** The names of the created rows. */
  names: CreatedNames
  /** The unknown currencies that rows were rejected for, with their number of rows. */
  currencies: { code: string; count: number }[]
  /** Names that a user must decide on before their rows are imported. */
  questions: NameQuestion[]
}
