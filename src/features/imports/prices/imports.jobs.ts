import { counted } from '#features/imports/created.rules.ts'
import { deleteUnusedRows, listCreatedNames } from '#features/imports/created.sql.ts'
import {
  countedBytes,
  type Importer,
  type ImportOptions,
  type ImportOutcome,
  importInBulk,
  noAuthor,
} from '#features/imports/importer.jobs.ts'
import { lockImports } from '#features/imports/lock.sql.ts'
import { type DecimalSettled, settleAmounts } from '#features/imports/prices/amounts.sql.ts'
import { lockTimeZones, resolveMarkets, resolveProducts } from '#features/imports/prices/catalogue.sql.ts'
import { moveRates } from '#features/imports/prices/file-rates.sql.ts'
import { priceTable } from '#features/imports/prices/formats.rules.ts'
import {
  countMissingPrices,
  countRevisedPrices,
  countWithdrawnPrices,
  type Identity,
  insertMissingPrices,
  isOlderEdition,
  lastPriceId,
  revisePrices,
} from '#features/imports/prices/imports.sql.ts'
import { priceIntake } from '#features/imports/prices/intake.rules.ts'
import { settleNames, shareOfCatalogueNames } from '#features/imports/prices/names.sql.ts'
import {
  analyzeStaging,
  createPriceStaging,
  type DateOrder,
  settleDays,
  stageBatch,
} from '#features/imports/prices/staging.sql.ts'
import {
  countUnchangedPrices,
  deleteUnchangedPrices,
  restoreRevisedPrices,
} from '#features/imports/prices/undo.sql.ts'
import { priceImportWords } from '#features/imports/prices/words.contract.ts'
import { countUnchangedRates, undoRates } from '#features/imports/rates/imports.sql.ts'
import { rejectionList } from '#features/imports/rejections.rules.ts'
import type { NameQuestion, Rejection } from '#features/imports/report.contract.ts'
import {
  lackingColumns,
  lastingTitles,
  mappedTable,
  mappingFaults,
  wideColumnsOf,
} from '#features/mappings/columns.rules.ts'
import { guessMapping } from '#features/mappings/guesses.rules.ts'
import type { MappedFieldKey } from '#features/mappings/mapped-fields.contract.ts'
import { inQuotes } from '#features/mappings/values.rules.ts'
import { timeZoneOfProvince } from '#features/markets/markets.rules.ts'
import { manyPrices, priceChannel } from '#features/prices/live/live.rules.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Bulk } from '#server/db/bulk-transaction.ts'
import { notify } from '#server/db/notify.ts'
import { AppError } from '#server/errors.ts'
import { feedMessage } from '#server/feed.ts'
import type { TableHead } from '#server/files/read-head.ts'
import { readTable } from '#server/files/read-table.ts'

type Options = ImportOptions & { now?: Date }

const rowsPerBatch = 2_000

/**
 * Imports a price file: WFP's on HDX, or our own export; CSV, or a workbook of at most 20 MB. Runs in one transaction
 * with one audit entry; imports wait for one another. Memory is constant whatever the size of the file.
 *
 * @param source the bytes of the file, in chunks of any size up to a few megabytes
 * @throws AppError 400 with a French message when the file as a whole cannot be imported; 409 when the time zone of one
 *   of its markets changes meanwhile
 * @throws the reason of `signal` once it is aborted
 */
export const importPrices = importInBulk(importInto)

/** Imports prices, and undoes such an import with the catalogue rows created for it. */
export const priceImporter: Importer = {
  read: importPrices,
  countKept: async (db, written) =>
    (await countUnchangedPrices(db, written)) + (await countUnchangedRates(db, written)),
  async undo(tx, written) {
    const revised = await restoreRevisedPrices(tx, written)
    const { count: prices, ids: priceIds } = await deleteUnchangedPrices(tx, written)
    const catalogue = written.created && (await deleteUnusedRows(tx, written.created))
    if (prices + revised > 0) await notify(tx, priceChannel, feedMessage(manyPrices))
    const rates = await undoRates(tx, written)
    return { removed: prices + revised + rates, details: { prices, priceIds, revised, rates, catalogue } }
  },
  words: priceImportWords,
  mapped: {
    async propose(db, head) {
      const shares = await shareOfCatalogueNames(db, columnsOf(head))
      return guessMapping(head, shares)
    },
    lastingTitles,
    faults: mappingFaults,
  },
}

function columnsOf({ titles, rows }: TableHead): string[][] {
  return titles.map((_, at) => [...new Set(rows.map((row) => row[at] ?? ''))])
}

async function importInto(
  bulk: Bulk,
  source: AsyncIterable<Uint8Array>,
  options: Options = {},
): Promise<ImportOutcome> {
  const {
    isDryRun = false,
    author = noAuthor,
    importId = null,
    mapping = null,
    onProgress = () => {},
  } = options
  const { tx } = bulk
  await createPriceStaging(tx)
  const rejections = rejectionList(options.onRejected)
  const file = await stageFile(bulk, source, options, rejections.take)
  const { rows, bytes, identity, notes } = file
  await analyzeStaging(tx)

  onProgress({ stage: 'waiting', rows, bytes })
  await lockImports(tx)
  onProgress({ stage: 'matching', rows, bytes })
  const amounts = await settleAmounts(tx, file.decimals)
  for (const row of amounts.refused) rejections.take({ ...row, reason: openAmount(mapping !== null) })
  // Before the names are settled: rows that are not prices must not raise questions.
  const rates = await moveRates(tx, { isDryRun, importId, author })
  const { questions, undecided } = mapping ? await settleNames(tx, mapping.names) : noQuestions
  for (const { line, text, ...asked } of undecided) rejections.take({ line, text, reason: askingFor(asked) })
  const staged = file.staged - undecided.length - rates.rows - amounts.refused.length
  const created = { ...(await resolveMarkets(tx)), ...(await resolveProducts(tx)) }

  const names = await listCreatedNames(tx, created)

  onProgress({ stage: 'writing', rows, bytes })
  const isWfp = identity === 'quote'
  const withdrawn = isWfp ? await countWithdrawnPrices(tx) : 0
  const isOlder = isWfp && (await isOlderEdition(tx))
  const before = await lastPriceId(tx)
  const { actor, requestId } = author
  const by = { writtenBy: actor?.userId ?? null, requestId, importId }
  const revise = isDryRun ? countRevisedPrices : revisePrices
  const revisedPrices = isWfp ? await revise(tx, by) : 0
  const addedPrices = await (isDryRun
    ? countMissingPrices(tx, identity)
    : insertMissingPrices(tx, identity, by))
  const ids = addedPrices > 0 ? { first: before + 1, last: await lastPriceId(tx) } : null
  if (!isDryRun && !(await lockTimeZones(tx))) throw new AppError('conflict', zoneChanged)
  const added = addedPrices + rates.added
  const revised = revisedPrices + rates.revised
  const { rejected, ...counted } = rejections.report()
  const existing = staged + rates.rows - added - revised
  const counts = { read: rows, added, existing, revised, withdrawn, rejected }
  const recorded = { ...counts, addedPrices, revisedPrices, created }
  await insertAudit(tx, author, {
    action: 'import',
    entity: 'prices',
    after: { file: options.fileName ?? null, ...(importId && { importId }), ...recorded },
  })
  if (addedPrices + revisedPrices > 0) await notify(tx, priceChannel, feedMessage(manyPrices))
  const isStepBack = isOlder && revisedPrices > 0
  const ofPrices = [...notesOfAmounts(amounts), ...notesOfRates(rates), ...(isStepBack ? [olderEdition] : [])]
  const outcome = { ...counts, ...counted, notes: [...notes, ...ofPrices], questions, created, names }
  if (!isDryRun) await options.onWritten?.(tx, { ...outcome, ids })
  onProgress({ stage: 'done', rows, bytes })
  return outcome
}

/** Reads the whole file into the staging tables, a batch at a time. */
async function stageFile(
  bulk: Bulk,
  source: AsyncIterable<Uint8Array>,
  options: Options,
  reject: (rejection: Rejection) => void,
) {
  const { currencyMap = new Map(), now = new Date(), mapping = null, signal, onProgress = () => {} } = options
  const rules = { now, currencyMap, timeZoneOf: timeZoneOfProvince }
  let intake: ReturnType<typeof priceIntake> | undefined
  let identity: Identity = 'price'
  const progress = { rows: 0, bytes: 0 }
  let staged = 0
  let ofFile: readonly string[] = []
  let lacking: string | null = null

  async function store(): Promise<void> {
    if (intake) {
      const batch = intake.batch()
      staged += batch.prices.length
      await stageBatch(bulk, batch)
    }
    onProgress({ stage: 'reading', ...progress })
  }

  const counted = countedBytes(source, progress, signal)
  for await (const batch of readTable(counted, mapping ? mappedTable(mapping) : priceTable, signal)) {
    intake ??= priceIntake(batch.layout, rules, reject, mapping)
    if (batch.layout.format.name === 'wfp') identity = 'quote'
    if (mapping) lacking = lackingColumns(batch.layout, mapping)
    ofFile = batch.notes
    for (const row of batch.rows) progress.rows += intake.take(row)
    if (intake.waiting() >= rowsPerBatch) await store()
  }
  await store()
  const { order, refused } = await settleDays(bulk.tx, intake?.refusedOrders)
  for (const { line, text, isFuture } of refused) {
    const reason = isFuture ? 'La date est dans le futur.' : unsettled(order, mapping !== null)
    reject({ line, text, reason })
  }
  staged -= refused.length
  const wide = mapping && wideColumnsOf(mapping)
  const notes = [
    ...ofFile,
    ...(lacking ? [lacking] : []),
    ...(wide ? [inTitles[wide.key] ?? inTitles.day] : []),
    ...notesOf(order),
  ]
  return { ...progress, staged, identity, notes, decimals: intake?.decimals }
}

const zoneChanged =
  'Le fuseau horaire d’un marché du fichier a changé pendant l’import. Rien n’a été écrit\u00a0: recommencez.'
const olderEdition =
  'Ce fichier s’arrête avant ce que nous avons déjà du PAM\u00a0: c’est sans doute une édition plus ancienne, dont les montants remplacent de plus récents.'
const ofTitles = (subject: string, one: string) =>
  `Les ${subject} sont dans les titres\u00a0: chaque cellule remplie sous ${one} compte pour une ligne.`
const inTitles: Partial<Record<MappedFieldKey, string>> & { day: string } = {
  day: ofTitles('dates', 'une date'),
  product: ofTitles('produits', 'un produit'),
  market: ofTitles('marchés', 'un marché'),
}

/** Describes what was done with the exchange rates of a file, which are not prices. */
function notesOfRates({ rows, added, revised }: Awaited<ReturnType<typeof moveRates>>): string[] {
  if (rows === 0) return []
  const days = (count: number) => counted(count, ['jour', 'jours'])
  const changes = [
    ...(added > 0 ? [`${days(added)} en plus`] : []),
    ...(revised > 0 ? [`${days(revised)} au taux révisé`] : []),
  ]
  const outcome =
    changes.length > 0
      ? `dans la table des taux, ${changes.join(', ')}.`
      : 'la table des taux n’en change pas.'
  return [
    `${counted(rows, ['ligne donne', 'lignes donnent'])} un taux de change et non un prix\u00a0: ${outcome}`,
  ]
}

const noQuestions: Awaited<ReturnType<typeof settleNames>> = { questions: [], undecided: [] }

function askingFor({
  subject,
  name,
  close,
}: {
  subject: NameQuestion['subject']
  name: string
  close: string
}) {
  const which = subject === 'market' ? 'Le marché' : 'Le produit'
  return `${which} ${inQuotes(name)} ressemble à ${inQuotes(close)}\u00a0: dites si c’est le même ou un nouveau.`
}

/** Returns why no date of a file was read; for a described file, the description of its columns can settle it. */
function unsettled(order: DateOrder, isDescribed: boolean): string {
  const fault =
    order === 'contradictory'
      ? 'Les dates du fichier se contredisent\u00a0: le jour vient tantôt d’abord, tantôt après le mois.'
      : 'Aucune date du fichier ne dit si le jour ou le mois vient d’abord.'
  return isDescribed && order === 'unsettled'
    ? `${fault} Dites-le parmi les colonnes («\u202fDates comme 03/05/2026\u202f»).`
    : `${fault} Écrivez les dates sous la forme aaaa-mm-jj.`
}

/** Returns why an amount was not read; for a described file, the description of its columns can settle it. */
function openAmount(isDescribed: boolean): string {
  const fault = 'Rien ne dit si un montant comme 58,000 vaut 58\u202f000 ou 58.'
  return isDescribed
    ? `${fault} Dites-le parmi les colonnes («\u202fDécimales des prix\u202f»).`
    : `${fault} Écrivez les milliers sans signe (58000) ou deux décimales (58,00).`
}

/** Describes how ambiguous amounts were read. */
function notesOfAmounts({ by, mark }: DecimalSettled): string[] {
  if (mark === null) return []
  const example =
    mark === ','
      ? 'avec une virgule devant les décimales (58,000 vaut 58, et 58.000 vaut 58\u202f000)'
      : 'avec un point devant les décimales (58,000 vaut 58\u202f000, et 58.000 vaut 58)'
  const why = by === 'column' ? 'toute la colonne va' : 'les derniers prix de ces produits vont'
  return [`Montants lus ${example}\u00a0: ${why} dans ce sens.`]
}

/** Describes how the dates were read. */
function notesOf(order: DateOrder): string[] {
  if (order === 'day first') return ['Dates lues comme jj/mm/aaaa\u00a0: toute la colonne va dans ce sens.']
  if (order === 'month first') return ['Dates lues comme mm/jj/aaaa\u00a0: toute la colonne va dans ce sens.']
  return []
}
