import {
  createBrands,
  createCategories,
  createStaging,
  createTypes,
  insertNewProducts,
  listTakenCodes,
  lockCatalogue,
  markNew,
  type StagedLine,
  stageLines,
} from '#features/products/imports/imports.sql.ts'
import {
  isExample,
  readProductLine,
  requiredColumns,
  takenCode,
} from '#features/products/imports/lines.rules.ts'
import { productColumns } from '#features/products/products.contract.ts'
import { type Author, insertAudit } from '#server/audit.sql.ts'
import { type Bulk, inBulkTransaction } from '#server/db/bulk-transaction.ts'
import { lockImports } from '#server/db/lock-imports.ts'
import type { Database } from '#server/db/pool.ts'
import { invalidField } from '#server/errors.ts'
import type { ImportOptions, ImportOutcome } from '#server/importing.ts'
import { readTable } from '#server/table-file.ts'
import { longestErrorList, type Rejection } from '#shared/import-report.ts'

const rowsPerBatch = 2_000
const mostRows = 200_000
const tooLong =
  'Ce fichier a plus de 200 000 lignes. Découpez-le, puis importez ses parties l’une après l’autre.'
const nobody: Author = { actor: null, requestId: null }
const table = {
  name: 'un fichier de produits',
  columns: productColumns,
  required: requiredColumns,
}

/**
 * Imports a file of products, CSV or XLSX: our own export, or the template filled in. A line whose code exists already
 * is passed over when it says the same, and refused when it does not. All of it happens in one transaction with one entry
 * in the journal; imports wait for one another.
 *
 * @param source the bytes of the file, in chunks of any size up to a few megabytes
 * @throws AppError 400 with a French message when the file as a whole cannot be imported
 * @throws the reason of `signal` once it is aborted
 */
export async function importProducts(
  pool: Database['pool'],
  source: AsyncIterable<Uint8Array>,
  options: ImportOptions = {},
): Promise<ImportOutcome> {
  const { isDryRun = false, signal } = options
  return inBulkTransaction(pool, (bulk) => importInto(bulk, source, options), { isKept: !isDryRun, signal })
}

async function importInto(
  { tx }: Bulk,
  source: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<ImportOutcome> {
  const { author = nobody, fileName = null, importId = null, onProgress = () => {} } = options
  const { isDryRun = false, onWritten } = options
  const rejections = rejectionList(options)
  await createStaging(tx)
  const { staged, ...progress } = await stageFile(tx, source, rejections.take, options)

  onProgress({ stage: 'waiting', ...progress })
  await lockImports(tx)
  onProgress({ stage: 'matching', ...progress })
  await lockCatalogue(tx)
  await markNew(tx)
  onProgress({ stage: 'writing', ...progress })
  const created = {
    markets: 0,
    categories: await createCategories(tx),
    types: await createTypes(tx),
    brands: await createBrands(tx),
    products: await insertNewProducts(tx),
  }
  const taken = await listTakenCodes(tx)
  for (const line of taken) rejections.take({ ...line, reason: takenCode(line) })
  const { rejected, errors } = rejections.counts()
  const added = created.products
  const counts = { read: progress.rows, added, existing: staged - added - taken.length, rejected }
  await insertAudit(tx, author, {
    action: 'import',
    entity: 'products',
    after: { file: fileName, ...(importId && { importId }), ...counts, created },
  })
  const outcome = { ...counts, errors, created }
  if (!isDryRun) await onWritten?.(tx, { ...outcome, priceIds: null })
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
  let staged = 0

  async function* counted() {
    for await (const chunk of source) {
      signal?.throwIfAborted()
      progress.bytes += chunk.length
      yield chunk
    }
  }
  async function store(): Promise<void> {
    staged += batch.length
    if (batch.length > 0) await stageLines(tx, batch)
    batch = []
    onProgress({ stage: 'reading', ...progress })
  }

  for await (const row of readTable(counted(), table, signal)) {
    const { line, text } = row
    if ('cells' in row && isExample(row.cells)) continue
    progress.rows += 1
    if (progress.rows > mostRows) throw invalidField('file', tooLong)
    const read = 'fault' in row ? { reason: row.fault } : readProductLine(row.cells)
    if ('reason' in read) reject({ line, text, reason: read.reason })
    else batch.push({ ...read.value, line })
    if (batch.length >= rowsPerBatch) await store()
  }
  await store()
  return { ...progress, staged }
}

/** Counts the lines that are refused, tells each of them, and keeps the first ones in the order of the file. */
function rejectionList({ onRejected }: ImportOptions) {
  const all: { line: number; message: string }[] = []
  return {
    take({ line, reason, text }: Rejection): void {
      all.push({ line, message: reason })
      onRejected?.({ line, reason, text })
    },
    counts: () => ({
      rejected: all.length,
      errors: all.toSorted((a, b) => a.line - b.line).slice(0, longestErrorList),
    }),
  }
}
