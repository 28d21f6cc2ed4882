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
  countUnchangedRates,
  createRateStaging,
  stagedRates,
  stageRates,
  undoRates,
  writeRates,
} from '#features/imports/rates/imports.sql.ts'
import { decimalOfRates, orderOfDates, rateReader, rateTable } from '#features/imports/rates/lines.rules.ts'
import { rateImportWords } from '#features/imports/rates/words.contract.ts'
import { rejectionList } from '#features/imports/rejections.rules.ts'
import { exchangeRates } from '#features/rates/rates.contract.ts'
import { findRateAt } from '#features/rates/rates.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Bulk } from '#server/db/bulk-transaction.ts'
import { invalidField } from '#server/errors.ts'
import { readTable } from '#server/files/read-table.ts'
import type { TableBatch } from '#shared/csv/table.ts'

// The whole file is read before its date order is decided. This many days are more than a century.
const mostRows = 50_000
const tooLong = 'Ce fichier a plus de 50\u202f000 lignes\u00a0: découpez-le.'

const nothingElse = {
  withdrawn: 0,
  questions: [],
  created: { markets: 0, categories: 0, types: 0, brands: 0, products: 0 },
  names: { markets: [], categories: [], types: [], brands: [], products: [] },
}

/**
 * Imports a file of exchange rates, one per day: a different rate of the same day is revised; figures use it at once.
 */
const importRates = importInBulk(importInto)

export const rateImporter: Importer = {
  read: importRates,
  countKept: countUnchangedRates,
  async undo(tx, written) {
    const rates = await undoRates(tx, written)
    return { removed: rates, details: { rates } }
  },
  words: rateImportWords,
}

async function importInto(
  { tx }: Bulk,
  source: AsyncIterable<Uint8Array>,
  options: ImportOptions = {},
): Promise<ImportOutcome> {
  const { isDryRun = false, author = noAuthor, importId = null, signal, onProgress = () => {} } = options
  const rejections = rejectionList(options.onRejected)
  const progress = { rows: 0, bytes: 0 }
  const batches: TableBatch[] = []
  let notes: string[] = []
  let staged = 0

  await createRateStaging(tx)
  const counted = countedBytes(source, progress, signal)
  for await (const batch of readTable(counted, rateTable, signal)) {
    batches.push(batch)
    progress.rows += batch.rows.length
    if (progress.rows > mostRows) throw invalidField('file', tooLong)
    onProgress({ stage: 'reading', ...progress })
    notes = [...batch.notes]
  }
  const { order, notes: ofDates } = orderOfDates(batches)
  notes = [...notes, ...ofDates]
  const last = await findRateAt(tx, new Date())
  const readRate = rateReader(order, decimalOfRates(batches, last?.cdfPerUsd ?? null))
  for (const { layout, rows } of batches) {
    const lines = rows.flatMap((row) => {
      const read = 'cells' in row ? readRate(layout, row) : { reason: row.fault }
      if ('value' in read) return [{ ...read.value, line: row.line }]
      const text = 'cells' in row ? row.cells.join(layout.separator) : row.text
      rejections.take({ line: row.line, text, reason: read.reason })
      return []
    })
    staged += lines.length
    if (lines.length > 0) await stageRates(tx, lines)
    signal?.throwIfAborted()
  }
  onProgress({ stage: 'waiting', ...progress })
  await lockImports(tx)
  onProgress({ stage: 'writing', ...progress })
  const { added, revised } = await writeRates(tx, stagedRates, {
    isDryRun,
    importId,
    author,
    replaces: 'any',
  })
  const { rejected, ...reasons } = rejections.report()
  const counts = { read: progress.rows, added, revised, existing: staged - added - revised, rejected }
  await insertAudit(tx, author, {
    action: 'import',
    entity: exchangeRates.name,
    after: { file: options.fileName ?? null, ...(importId && { importId }), ...counts },
  })
  const outcome = { ...counts, ...reasons, ...nothingElse, notes }
  if (!isDryRun) await options.onWritten?.(tx, { ...outcome, ids: null })
  onProgress({ stage: 'done', ...progress })
  return outcome
}
