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
import type { Database, Db } from '#server/db/pool.ts'
import type { TableHead } from '#server/files/read-head.ts'

/** What imports one kind of file, and takes it back. */
export type Importer = {
  /**
   * Reads a file and writes what it brings, all of it in one transaction with one entry in the journal.
   *
   * It calls `onWritten` at the end of that transaction, obeys `signal`, and throws an AppError 400 with a French message
   * for a file that cannot be read as a whole.
   */
  read(
    pool: Database['pool'],
    source: AsyncIterable<Uint8Array>,
    options: ImportOptions,
  ): Promise<ImportOutcome>
  /** How many of the rows that it added are as it wrote them, so that they can be taken back. */
  countKept(db: Db, written: WrittenImport): Promise<number>
  /**
   * Takes back what is still as it was written.
   *
   * @returns how many of the rows that it added, and what the journal is to tell
   */
  undo(tx: Db, written: WrittenImport): Promise<{ removed: number; details: object }>
  words: ImportWords
  /** How tables that are none of ours are read, for a kind that takes them. */
  mapped?: {
    /** Proposes how to read one whose first rows are these. */
    propose(db: Db, head: TableHead): Promise<Mapping>
    /** The titles by which a table is recognised: without those that change from one file to the next. */
    lastingTitles(mapping: Mapping): readonly string[]
    /** What stands in the way of reading one so, under the key of each field. */
    faults(mapping: Mapping): { field: string; message: string }[]
  }
}

/** The options of an import, whatever it brings. */
export type ImportOptions = {
  /** Do everything, tell what it would give, and keep nothing of it. */
  isDryRun?: boolean
  /** Currencies to read as others: `XAF` → `CDF`. */
  currencyMap?: ReadonlyMap<string, 'CDF' | 'USD'>
  /** How the columns of the file are to be read, when it is none of ours. */
  mapping?: Mapping | null
  /** Who imports, for the journal and as the writer of the rows; nobody when it is a command. */
  author?: Author
  /** For the journal. */
  fileName?: string
  /** The import that somebody asked for on a screen, which its rows and the journal then name. */
  importId?: number
  /** Ends the import as if it had not begun. */
  signal?: AbortSignal | undefined
  onProgress?: (progress: ImportProgress) => void
  /** Called with every refused row; the report lists only the first ones. */
  onRejected?: (rejection: Rejection) => void
  /** The last thing done in the transaction, unless it is a dry run: what must commit with the import, or not at all. */
  onWritten?: (tx: Db, written: ImportOutcome & { ids: IdRange | null }) => Promise<void>
}

/** Who imports when nobody says it: a command. */
export const noAuthor: Author = { actor: null, requestId: null }

/**
 * The bytes of a file as they pass, counted.
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

/** Rows and bytes read so far; `stage` tells what the database does once all have been. */
export type ImportProgress = {
  stage: 'reading' | 'waiting' | 'matching' | 'writing' | 'done'
  rows: number
  bytes: number
}

export type ImportOutcome = ImportReport & {
  created: Created
  /** What it creates, by name. */
  names: CreatedNames
  /** The currencies that rows were rejected for, with their rows. */
  currencies: { code: string; count: number }[]
  /** Names that somebody must decide of before their rows are taken. */
  questions: NameQuestion[]
}
