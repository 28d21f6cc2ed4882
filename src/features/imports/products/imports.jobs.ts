import { countUnusedProducts, deleteUnusedRows, listCreatedNames } from '#features/imports/created.sql.ts'
import {
  countedBytes,
  type Importer,
  type ImportOptions,
  type ImportOutcome,
  importInBulk,
  noAuthor,
} from '#features/imports/importer.jobs.ts'
import { lockImports } from '#features/imports/lock.sql.ts'
import {
  createMissingReferences,
  createProductStaging,
  insertNewProducts,
  listTakenCodes,
  lockCatalogue,
  markNew,
  type StagedLine,
  stageLines,
} from '#features/imports/products/imports.sql.ts'
import {
  isExample,
  type ProductColumn,
  productTable,
  readProductLine,
  takenCode,
} from '#features/imports/products/lines.rules.ts'
import { productImportWords } from '#features/imports/products/words.contract.ts'
import { rejectionList } from '#features/imports/rejections.rules.ts'
import type { Rejection } from '#features/imports/report.contract.ts'
import { productColumns } from '#features/products/products.contract.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Bulk } from '#server/db/bulk-transaction.ts'
import { invalidField } from '#server/errors.ts'
import { readTable } from '#server/files/read-table.ts'
import { readAmount, settledAmount } from '#shared/amounts.ts'
import type { Layout } from '#shared/csv/layout.ts'

const rowsPerBatch = 2_000
const mostRows = 200_000
const tooLong =
  'Ce fichier a plus de 200 000 lignes. Découpez-le, puis importez ses parties l’une après l’autre.'
// An import of products only adds; it never changes existing ones.
const neverChanged = { revised: 0, withdrawn: 0 }

/**
 * Imports a file of products, CSV or XLSX: our own export, or the template filled in. A line whose code exists is
 * skipped if it has the same values, else rejected. Runs in one transaction with one audit entry; imports wait for one
 * another.
 *
 * @param source the bytes of the file, in chunks of any size up to a few megabytes
 * @throws AppError 400 with a French message when the file as a whole cannot be imported
 * @throws the reason of `signal` once it is aborted
 */
export const importProducts = importInBulk(importInto)

/**
 * Imports products, and undoes such an import: deletes the products and the catalogue rows created for them that are
 * unused.
 */
export const productImporter: Importer = {
  read: importProducts,
  countKept: async (db, { created }) => (created ? countUnusedProducts(db, created) : 0),
  async undo(tx, { created }) {
    const catalogue = created && (await deleteUnusedRows(tx, created))
    return { removed: catalogue?.product ?? 0, details: { catalogue } }
  },
  words: productImportWords,
}

async function importInto(
  { tx }: Bulk,
  source: AsyncIterable<Uint8Array>,
  options: ImportOptions = {},
): Promise<ImportOutcome> {
  const { author = noAuthor, fileName = null, importId = null, onProgress = () => {} } = options
  const { isDryRun = false, onWritten } = options
  const rejections = rejectionList(options.onRejected)
  await createProductStaging(tx)
  const { staged, notes, ...progress } = await stageFile(tx, source, rejections.take, options)

  onProgress({ stage: 'waiting', ...progress })
  await lockImports(tx)
  onProgress({ stage: 'matching', ...progress })
  await lockCatalogue(tx)
  await markNew(tx)
  onProgress({ stage: 'writing', ...progress })
  const created = {
    markets: 0,
    ...(await createMissingReferences(tx)),
    products: await insertNewProducts(tx),
  }
  const taken = await listTakenCodes(tx)
  for (const line of taken) rejections.take({ ...line, reason: takenCode(line) })
  const { rejected, ...counted } = rejections.report()
  const added = created.products
  const counts = {
    read: progress.rows,
    added,
    existing: staged - added - taken.length,
    ...neverChanged,
    rejected,
  }
  await insertAudit(tx, author, {
    action: 'import',
    entity: 'products',
    after: { file: fileName, ...(importId && { importId }), ...counts, created },
  })
  const outcome = {
    ...counts,
    ...counted,
    notes,
    questions: [],
    created,
    names: await listCreatedNames(tx, created),
  }
  if (!isDryRun) await onWritten?.(tx, { ...outcome, ids: null })
  onProgress({ stage: 'done', ...progress })
  return outcome
}

/** Reads the whole file into the staging table, a batch at a time. */
async function stageFile(
  tx: Bulk['tx'],
  source: AsyncIterable<Uint8Array>,
  reject: (rejection: Rejection) => void,
  { signal, onProgress = () => {} }: ImportOptions,
) {
  const progress = { rows: 0, bytes: 0 }
  let batch: StagedLine[] = []
  const decimals = new Set<',' | '.'>()
  const open: { line: number; text: string; cells: Record<ProductColumn, string> }[] = []
  let staged = 0
  let notes: string[] = []

  async function store(): Promise<void> {
    staged += batch.length
    if (batch.length > 0) await stageLines(tx, batch)
    batch = []
    onProgress({ stage: 'reading', ...progress })
  }

  function take(line: number, text: string, read: ReturnType<typeof readProductLine>): void {
    if ('reason' in read) reject({ line, text, reason: read.reason })
    else batch.push({ ...read.value, line })
  }

  for await (const { layout, rows, notes: tableNotes } of readTable(
    countedBytes(source, progress, signal),
    productTable,
    signal,
  )) {
    notes = [...tableNotes]
    for (const row of rows) {
      const { line } = row
      const cells = 'cells' in row ? cellsOf(layout, row.cells) : null
      if (cells && isExample(cells)) continue
      progress.rows += 1
      if (progress.rows > mostRows) throw invalidField('file', tooLong)
      const text = 'cells' in row ? row.cells.join(layout.separator) : row.text
      const price = readAmount(cells?.price ?? '')
      if (price?.plain != null && price.decimal && !(layout.isWorkbook && price.decimal === '.'))
        decimals.add(price.decimal)
      if (cells && price?.plain === null) open.push({ line, text, cells })
      else take(line, text, cells ? readProductLine(cells) : { reason: 'fault' in row ? row.fault : '' })
    }
    if (batch.length >= rowsPerBatch) await store()
  }
  // The other prices of the column decide what `58,000` means.
  const [decimal] = decimals
  for (const { line, text, cells } of open) {
    const price = settledAmount(cells.price, decimals.size === 1 ? decimal : null)
    take(line, text, readProductLine({ ...cells, price }))
    if (batch.length >= rowsPerBatch) await store()
  }
  await store()
  return { ...progress, staged, notes }
}

/** Returns the cells of a row by the keys of their columns, blank for columns that the file lacks. */
function cellsOf(layout: Layout, cells: readonly string[]): Record<ProductColumn, string> {
  const entries = productColumns.map(({ key }) => [key, cells[layout.columns.get(key) ?? -1] ?? ''])
  // Every column has its key, so every key has a text.
  return Object.fromEntries(entries) as Record<ProductColumn, string>
}
