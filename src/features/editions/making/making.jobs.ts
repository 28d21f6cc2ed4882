import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import {
  dataPackageOf,
  type EditionFile,
  type EditionRow,
  editionColumns,
} from '#features/editions/making/columns.rules.ts'
import { pcodeOf, selectEditionRows } from '#features/editions/making/making.sql.ts'
import { writeParquet } from '#features/editions/making/parquet.jobs.ts'
import type { Snapshot } from '#server/db/snapshot.ts'
import type { FileStore } from '#server/files/file-store.ts'
import { csvCells } from '#shared/csv/write.ts'

/** A file with its key in the storage. */
export type StoredFile = EditionFile & { storedAs: string }
export type MadeFiles = { rows: number; files: StoredFile[] }

/** Rows read at once, and written as one row group of Parquet. */
const rowsPerBatch = 25_000

/**
 * Writes all prices observed until a day as CSV and as Parquet, from one snapshot of the database.
 *
 * @param stem the start of the names of the files
 */
export async function makeFiles(
  snapshot: Snapshot,
  store: Pick<FileStore, 'keep'>,
  { lastDay, stem }: { lastDay: string; stem: string },
): Promise<MadeFiles> {
  let rows = 0
  async function* batches(): AsyncGenerator<EditionRow[], void, undefined> {
    rows = 0
    for await (const batch of snapshot.read(selectEditionRows(lastDay), rowsPerBatch)) {
      rows += batch.length
      yield batch.map((row) => ({ ...row, province_pcode: pcodeOf(row.province as string | null) }))
    }
  }
  const csv = await keep(store, writeCsv(batches()), { format: 'csv', name: `${stem}.csv.gz` })
  const parquet = await keep(store, writeParquet(batches()), { format: 'parquet', name: `${stem}.parquet` })
  return { rows, files: [csv, parquet] }
}

/** Stores the description of the files with them. */
export function keepDataPackage(
  store: Pick<FileStore, 'keep'>,
  edition: Parameters<typeof dataPackageOf>[0],
  files: readonly EditionFile[],
): Promise<StoredFile> {
  const text = dataPackageOf(edition, files)
  return keep(store, Readable.from([Buffer.from(text)]), { format: 'datapackage', name: 'datapackage.json' })
}

async function keep(
  store: Pick<FileStore, 'keep'>,
  content: AsyncIterable<Uint8Array>,
  file: Pick<EditionFile, 'format' | 'name'>,
): Promise<StoredFile> {
  const hash = createHash('sha256')
  async function* hashed() {
    for await (const chunk of content) {
      hash.update(chunk)
      yield chunk
    }
  }
  const storedAs = randomUUID()
  const bytes = await store.keep(storedAs, hashed())
  return { ...file, bytes, sha256: hash.digest('hex'), storedAs }
}

const cells = csvCells('machine')
const writing = { integer: String, day: String, decimal: String, degrees: String, text: cells.text }

async function* texts(batches: AsyncIterable<readonly EditionRow[]>) {
  yield cells.row(editionColumns.map(({ key }) => key))
  yield cells.row(editionColumns.map(({ hxl }) => hxl))
  for await (const rows of batches) {
    yield rows
      .map((row) =>
        cells.row(
          editionColumns.map(({ key, kind }) => {
            const value = row[key]
            return value === null ? '' : writing[kind](String(value))
          }),
        ),
      )
      .join('')
  }
}

async function* writeCsv(batches: AsyncIterable<readonly EditionRow[]>): AsyncGenerator<Uint8Array> {
  let isFirst = true
  const gzip = createGzip({ level: 9 })
  const source = Readable.from(texts(batches))
  source.on('error', (error) => gzip.destroy(error))
  for await (const chunk of source.pipe(gzip) as AsyncIterable<Buffer>) {
    // Sets the operating system in the gzip header to « unknown », so that all machines give the same bytes; it
    // contains no time.
    if (isFirst) chunk[9] = 255
    isFirst = false
    yield chunk
  }
}
