import { deleteUnusedRows } from '#features/imports/created.sql.ts'
import type { Importer, ImportOptions, ImportOutcome } from '#features/imports/importer.jobs.ts'
import { lockImports } from '#features/imports/lock.sql.ts'
import { rejectionList } from '#features/imports/rejections.rules.ts'
import { timeZoneOfProvince } from '#features/markets/markets.rules.ts'
import { resolveMarkets, resolveProducts } from '#features/prices/imports/catalogue.sql.ts'
import { priceTable } from '#features/prices/imports/formats.rules.ts'
import {
  countMissingPrices,
  countRevisedPrices,
  countWithdrawnPrices,
  type Identity,
  insertMissingPrices,
  lastPriceId,
  revisePrices,
} from '#features/prices/imports/imports.sql.ts'
import { priceIntake } from '#features/prices/imports/intake.rules.ts'
import {
  analyzeStaging,
  createPriceStaging,
  type DateOrder,
  settleDays,
  stageBatch,
} from '#features/prices/imports/staging.sql.ts'
import {
  countUnchangedPrices,
  deleteUnchangedPrices,
  restoreRevisedPrices,
} from '#features/prices/imports/undo.sql.ts'
import { priceImportWords } from '#features/prices/imports/words.contract.ts'
import { manyPrices, priceChannel } from '#features/prices/live/live.rules.ts'
import { type Author, insertAudit } from '#server/audit.sql.ts'
import { type Bulk, inBulkTransaction } from '#server/db/bulk-transaction.ts'
import { notify } from '#server/db/notify.ts'
import type { Database } from '#server/db/pool.ts'
import { feedMessage } from '#server/feed.ts'
import { readTable } from '#server/files/read-table.ts'

type Options = ImportOptions & { now?: Date }

const rowsPerBatch = 2_000
const nobody: Author = { actor: null, requestId: null }

/**
 * Imports a price file: what WFP publishes on HDX, or our own export; CSV, or a workbook of 20 MB at most. All of it happens in one transaction with one
 * entry in the journal; imports wait for one another. Memory stays flat whatever the size of the file.
 *
 * @param source the bytes of the file, in chunks of any size up to a few megabytes
 * @throws AppError 400 with a French message when the file as a whole cannot be imported
 * @throws the reason of `signal` once it is aborted
 */
export async function importPrices(
  pool: Database['pool'],
  source: AsyncIterable<Uint8Array>,
  options: Options = {},
): Promise<ImportOutcome> {
  const { isDryRun = false, signal } = options
  return inBulkTransaction(pool, (bulk) => importInto(bulk, source, options), { isKept: !isDryRun, signal })
}

/** Imports prices, and takes them back with what was created for them. */
export const priceImporter: Importer = {
  read: importPrices,
  countKept: countUnchangedPrices,
  async undo(tx, written) {
    const revised = await restoreRevisedPrices(tx, written)
    const prices = await deleteUnchangedPrices(tx, written)
    const catalogue = written.created && (await deleteUnusedRows(tx, written.created))
    if (prices + revised > 0) await notify(tx, priceChannel, feedMessage(manyPrices))
    return { removed: prices + revised, told: { prices, revised, catalogue } }
  },
  words: priceImportWords,
}

async function importInto(
  bulk: Bulk,
  source: AsyncIterable<Uint8Array>,
  options: Options,
): Promise<ImportOutcome> {
  const { isDryRun = false, author = nobody, importId = null, onProgress = () => {} } = options
  const { tx } = bulk
  await createPriceStaging(tx)
  const { rows, bytes, staged, identity, notes, rejections } = await stageFile(bulk, source, options)
  await analyzeStaging(tx)

  onProgress({ stage: 'waiting', rows, bytes })
  await lockImports(tx)
  onProgress({ stage: 'matching', rows, bytes })
  const created = { ...(await resolveMarkets(tx)), ...(await resolveProducts(tx)) }

  onProgress({ stage: 'writing', rows, bytes })
  const isWfp = identity === 'quote'
  const withdrawn = isWfp ? await countWithdrawnPrices(tx) : 0
  const before = await lastPriceId(tx)
  const { actor, requestId } = author
  const by = { writtenBy: actor?.userId ?? null, requestId, importId }
  const revise = isDryRun ? countRevisedPrices : revisePrices
  const revised = isWfp ? await revise(tx, by) : 0
  const added = await (isDryRun ? countMissingPrices(tx, identity) : insertMissingPrices(tx, identity, by))
  const ids = added > 0 ? { first: before + 1, last: await lastPriceId(tx) } : null
  const { rejected, ...told } = rejections
  const existing = staged - added - revised
  const counts = { read: rows, added, existing, revised, withdrawn, rejected }
  await insertAudit(tx, author, {
    action: 'import',
    entity: 'prices',
    after: { file: options.fileName ?? null, ...(importId && { importId }), ...counts, created },
  })
  if (added + revised > 0) await notify(tx, priceChannel, feedMessage(manyPrices))
  const outcome = { ...counts, ...told, notes, created }
  if (!isDryRun) await options.onWritten?.(tx, { ...outcome, ids })
  onProgress({ stage: 'done', rows, bytes })
  return outcome
}

/** Reads the whole file into the staging tables, a batch at a time. */
async function stageFile(bulk: Bulk, source: AsyncIterable<Uint8Array>, options: Options) {
  const { currencyMap = new Map(), now = new Date(), signal, onProgress = () => {} } = options
  const rules = { now, currencyMap, timeZoneOf: timeZoneOfProvince }
  const rejections = rejectionList(options.onRejected)
  let intake: ReturnType<typeof priceIntake> | undefined
  let identity: Identity = 'price'
  let bytes = 0
  let rows = 0
  let staged = 0

  async function store(): Promise<void> {
    if (intake) {
      const batch = intake.batch()
      staged += batch.prices.length
      await stageBatch(bulk, batch)
    }
    onProgress({ stage: 'reading', rows, bytes })
  }

  async function* counted() {
    for await (const chunk of source) {
      signal?.throwIfAborted()
      bytes += chunk.length
      yield chunk
    }
  }

  for await (const batch of readTable(counted(), priceTable, signal)) {
    intake ??= priceIntake(batch.layout, rules, rejections.take)
    if (batch.layout.format.name === 'wfp') identity = 'quote'
    rows += batch.rows.length
    for (const row of batch.rows) intake.take(row)
    if (intake.waiting() >= rowsPerBatch) await store()
  }
  await store()
  const { order, refused } = await settleDays(bulk.tx)
  for (const { line, text, isFuture } of refused) {
    const reason = isFuture ? 'La date est dans le futur.' : unsettled[order]
    rejections.take({ line, text, reason })
  }
  staged -= refused.length
  return { rows, staged, bytes, identity, notes: notesOf(order), rejections: rejections.report() }
}

const writeIso = 'Écrivez les dates sous la forme aaaa-mm-jj.'
const unsettled: Record<DateOrder, string> = {
  none: '',
  'day first': '',
  'month first': '',
  unsettled: `Aucune date du fichier ne dit si le jour ou le mois vient d’abord. ${writeIso}`,
  contradictory: `Les dates du fichier se contredisent\u00a0: le jour vient tantôt d’abord, tantôt après le mois. ${writeIso}`,
}

/** What is to be said of how the dates were read. */
function notesOf(order: DateOrder): string[] {
  if (order === 'day first') return ['Dates lues comme jj/mm/aaaa\u00a0: toute la colonne va dans ce sens.']
  if (order === 'month first') return ['Dates lues comme mm/jj/aaaa\u00a0: toute la colonne va dans ce sens.']
  return []
}
