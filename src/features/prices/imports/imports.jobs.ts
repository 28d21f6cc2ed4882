import { timeZoneOfProvince } from '#features/markets/markets.rules.ts'
import { resolveMarkets, resolveProducts } from '#features/prices/imports/catalogue.sql.ts'
import { priceFileReader, UnreadableFile } from '#features/prices/imports/file.rules.ts'
import { countMissingPrices, insertMissingPrices, lastPriceId } from '#features/prices/imports/imports.sql.ts'
import { analyzeStaging, createStaging, stageBatch } from '#features/prices/imports/staging.sql.ts'
import { manyPrices, priceChannel } from '#features/prices/live/live.rules.ts'
import { type Author, insertAudit } from '#server/audit.sql.ts'
import { type Bulk, inBulkTransaction } from '#server/db/bulk-transaction.ts'
import { lockImports } from '#server/db/lock-imports.ts'
import { notify } from '#server/db/notify.ts'
import type { Database } from '#server/db/pool.ts'
import { AppError } from '#server/errors.ts'
import { feedMessage } from '#server/feed.ts'
import { openFile, readWhole } from '#server/files/opened-file.ts'
import type { ImportOptions, ImportOutcome } from '#server/importing.ts'
import { readWorkbook, UnreadableWorkbook } from '#server/workbook/read-workbook.ts'
import { longestErrorList } from '#shared/import-report.ts'

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
  try {
    return await inBulkTransaction(pool, (bulk) => importInto(bulk, source, options), {
      isKept: !isDryRun,
      signal,
    })
  } catch (error) {
    if (!(error instanceof UnreadableFile || error instanceof UnreadableWorkbook)) throw error
    const fields = [{ field: 'file', message: error.message }]
    throw new AppError('invalid', error.message, { fields, cause: error })
  }
}

async function importInto(
  bulk: Bulk,
  source: AsyncIterable<Uint8Array>,
  options: Options,
): Promise<ImportOutcome> {
  const { isDryRun = false, author = nobody, importId = null, onProgress = () => {} } = options
  const { tx } = bulk
  await createStaging(tx)
  const { rows, bytes, errors, rejected, staged } = await stageFile(bulk, source, options)
  await analyzeStaging(tx)

  onProgress({ stage: 'waiting', rows, bytes })
  await lockImports(tx)
  onProgress({ stage: 'matching', rows, bytes })
  const created = { ...(await resolveMarkets(tx)), ...(await resolveProducts(tx)) }

  onProgress({ stage: 'writing', rows, bytes })
  const before = await lastPriceId(tx)
  const added = isDryRun
    ? await countMissingPrices(tx)
    : await insertMissingPrices(tx, { writtenBy: author.actor?.userId ?? null, importId })
  const priceIds = added > 0 ? { first: before + 1, last: await lastPriceId(tx) } : null
  const counts = { read: rows, added, existing: staged - added, rejected }
  await insertAudit(tx, author, {
    action: 'import',
    entity: 'prices',
    after: { file: options.fileName ?? null, ...(importId && { importId }), ...counts, created },
  })
  if (added > 0) await notify(tx, priceChannel, feedMessage(manyPrices))
  const outcome = { ...counts, errors, created }
  if (!isDryRun) await options.onWritten?.(tx, { ...outcome, priceIds })
  onProgress({ stage: 'done', rows, bytes })
  return outcome
}

/** Reads the whole file into the staging tables, a batch at a time. */
async function stageFile(bulk: Bulk, source: AsyncIterable<Uint8Array>, options: Options) {
  const { currencyMap = new Map(), now = new Date(), signal, onProgress = () => {}, onRejected } = options
  const rules = { now, currencyMap, timeZoneOf: timeZoneOfProvince }
  const file = priceFileReader(rules, longestErrorList, onRejected)
  let bytes = 0
  let staged = 0

  async function store(): Promise<void> {
    const batch = file.takeBatch()
    staged += batch.prices.length
    await stageBatch(bulk, batch)
    onProgress({ stage: 'reading', rows: file.counts().read, bytes })
  }

  async function* counted() {
    for await (const chunk of source) {
      signal?.throwIfAborted()
      bytes += chunk.length
      yield chunk
    }
  }

  const opened = await openFile(counted())
  if (opened.format === 'zip') {
    for await (const some of readWorkbook(await readWhole(opened), signal)) {
      file.readRows(some)
      if (file.waiting() >= rowsPerBatch) await store()
    }
  } else {
    for await (const chunk of opened.bytes) {
      file.read(chunk)
      if (file.waiting() >= rowsPerBatch) await store()
    }
  }
  file.end()
  await store()
  const { read, rejected, errors } = file.counts()
  return { rows: read, rejected, errors, staged, bytes }
}
