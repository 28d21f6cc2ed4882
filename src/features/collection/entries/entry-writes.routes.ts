import { groupsByCorrection } from '#features/collection/entries/corrections.rules.ts'
import type { CollectionEntry, EntryReceipt } from '#features/collection/entries/entries.contract.ts'
import {
  claimEntries,
  countRecentGoods,
  deleteEntries,
  describeAbsences,
  linkPrices,
  lockOwnEntry,
  markReplaced,
  type ReadyEntry,
  type StoredEntry,
} from '#features/collection/entries/entries.sql.ts'
import { inTheFuture, received, refused } from '#features/collection/entries/receipts.rules.ts'
import { doubtOfVisit } from '#features/collection/entries/visit-doubts.rules.ts'
import { answerReturn } from '#features/collection/returns/returns.routes.ts'
import { reviewEdited } from '#features/prices/doubt/doubt.sql.ts'
import type { PriceChange } from '#features/prices/live/live.contract.ts'
import { priceWritten } from '#features/prices/live/live.rules.ts'
import { mayEditPrice } from '#features/prices/prices.rules.ts'
import { findPrice, insertPrices, type PriceRow, updatePrice } from '#features/prices/prices.sql.ts'
import { type Author, insertAudit } from '#server/audit.sql.ts'
import { deleteRow } from '#server/db/delete-row.ts'
import { lockRow } from '#server/db/lock-row.ts'
import type { Db } from '#server/db/pool.ts'
import type { Actor } from '#server/http/actor.ts'
import type { Currency } from '#shared/fields.ts'
import type { GeoPoint } from '#shared/geography.ts'

const noSeries = 'Ce produit ou ce marché n’existe plus.'
const notYours = 'Cet identifiant est déjà pris par un autre relevé.'
const nothingBefore = 'Ce produit n’a pas encore de prix ici\u00a0: saisissez-le.'
const tooLate = 'Ce relevé ne peut plus être corrigé\u00a0: il a plus de 48 heures.'

/** An entry ready to be stored, with its price if it needs one. */
export type Ready = ReadyEntry & {
  price: { priceValue: number; currency: Currency } | null
  replaces: string | null
  /** Null where unknown. */
  phonePosition: CollectionEntry['position']
  marketPosition: GeoPoint | null
}
type Fresh = { entry: Ready; row: StoredEntry }
type Writing = { actor: Actor; author: Author; device: string; tell: (change: PriceChange) => void }

/**
 * Writes entries and their prices in the caller's transaction. Refused entries are not stored.
 *
 * @param writing `tell` is called with each change of a price, before the transaction is committed
 * @returns the receipt of each entry
 */
export async function storeEntries(
  tx: Db,
  ready: readonly Ready[],
  writing: Writing,
): Promise<EntryReceipt[]> {
  if (ready.length === 0) return []
  const { userId } = writing.actor
  const rows = await claimEntries(tx, { userId, device: writing.device }, ready)
  const found = new Map(rows.map((row) => [row.clientId, row]))
  const receipts: EntryReceipt[] = []
  const fresh: Fresh[] = []
  for (const entry of ready) {
    const row = found.get(entry.clientId)
    if (!row) receipts.push(refused(entry.clientId, noSeries))
    else if (row.isNew) fresh.push({ entry, row })
    else if (row.userId !== userId || !row.bodyHash.equals(entry.bodyHash)) {
      receipts.push(refused(entry.clientId, notYours))
    } else receipts.push(received(entry.clientId, row.priceId))
  }
  for (const { entry, row } of fresh.filter(({ entry }) => entry.answers !== null)) {
    receipts.push(await answer(tx, entry, row, writing))
  }
  // A correction sent with the entry that it corrects needs that entry's price.
  for (const group of groupsByCorrection(fresh.filter(({ entry }) => entry.answers === null))) {
    receipts.push(...(await storeGroup(tx, group, writing)))
  }
  await deleteEntries(
    tx,
    receipts.flatMap(({ id, state }) => {
      const row = found.get(id)
      return state === 'refused' && row?.isNew ? [row.id] : []
    }),
  )
  return receipts
}

/** Writes the prices and absences of entries, none of which corrects another of them. */
async function storeGroup(tx: Db, group: readonly Fresh[], writing: Writing): Promise<EntryReceipt[]> {
  const corrected = new Map<string, EntryReceipt>()
  for (const { entry, row } of group.filter(({ entry }) => entry.replaces !== null)) {
    const receipt = await correct(tx, entry, row, writing)
    if (receipt) corrected.set(entry.clientId, receipt)
  }
  const others = group.filter(({ entry }) => !corrected.has(entry.clientId))
  const absences = others.filter(({ entry }) => entry.kind === 'absent')
  const prices = others.filter(({ entry }) => entry.kind !== 'absent')
  return [
    ...corrected.values(),
    ...(prices.length > 0 ? await writePrices(tx, prices, writing) : []),
    ...(absences.length > 0 ? await writeAbsences(tx, absences, writing) : []),
  ]
}

async function writeAbsences(
  tx: Db,
  absences: readonly Fresh[],
  { author }: Writing,
): Promise<EntryReceipt[]> {
  const described = await describeAbsences(
    tx,
    absences.map(({ row }) => row.id),
  )
  for (const { id, ...after } of described) {
    await insertAudit(tx, author, { action: 'create', entity: 'absences', entityId: id, after })
  }
  return absences.map(({ entry }) => received(entry.clientId, null))
}

/** Stores the answer about a returned price; it gets a receipt even if the price was decided in the meantime. */
async function answer(tx: Db, entry: Ready, row: StoredEntry, writing: Writing): Promise<EntryReceipt> {
  const { actor, author, tell } = writing
  const priceId = entry.answers ?? 0
  const { isTaken, change } = await answerReturn(tx, {
    priceId,
    author,
    userId: actor.userId,
    price: entry.price,
  })
  if (change) tell(change)
  const isPriced = isTaken && entry.price !== null
  if (isPriced) await linkPrices(tx, [{ id: row.id, priceId }])
  return received(entry.clientId, isPriced ? priceId : null)
}

/** Inserts the prices of entries; corrections of a price are written by `correct`. */
async function writePrices(
  tx: Db,
  priced: readonly Fresh[],
  { author, actor, tell }: Writing,
): Promise<EntryReceipt[]> {
  const lacking = priced.filter(({ entry }) => entry.price === null)
  const written = priced.flatMap(({ entry, row }) =>
    entry.price ? [{ entry, row, price: entry.price }] : [],
  )
  const recent = await countRecentGoods(
    tx,
    written.map(({ row }) => row.id),
  )
  const rows = await insertPrices(
    tx,
    written.map(({ entry: { marketId, when, phonePosition, marketPosition }, row, price }) => ({
      productId: row.productId,
      marketId,
      when,
      ...price,
      doubt: doubtOfVisit(
        recent.get(row.id) ?? { goods: 1, seconds: 0 },
        phonePosition ?? null,
        marketPosition,
      ),
      collectorName: actor.name,
      source: null,
      author,
    })),
  )
  const made: { id: number; priceId: number }[] = []
  const receipts = written.map(({ entry, row }, place) => {
    const price = rows[place]
    if (price === undefined || typeof price === 'string') {
      return refused(entry.clientId, price === 'future' ? inTheFuture : noSeries)
    }
    made.push({ id: row.id, priceId: price.id })
    tell(priceWritten('added', price))
    return received(entry.clientId, price.id)
  })
  await linkPrices(tx, made)
  return [...receipts, ...lacking.map(({ entry }) => refused(entry.clientId, nothingBefore))]
}

/**
 * Updates or deletes the price of the entry that this one replaces. Undefined where that entry has no price: nothing to
 * correct.
 */
async function correct(
  tx: Db,
  entry: Ready,
  row: StoredEntry,
  { actor, author, tell }: Writing,
): Promise<EntryReceipt | undefined> {
  if (entry.kind !== 'absent' && !entry.price) return refused(entry.clientId, nothingBefore)
  const old = await lockOwnEntry(tx, actor.userId, row.id, entry.replaces ?? '')
  if (!old) return undefined
  const before = old.priceId === null ? undefined : await lockedPrice(tx, old.priceId)
  if (!before) {
    await markReplaced(tx, old.id)
    return undefined
  }
  if (!mayEditPrice(actor, before, new Date())) return refused(entry.clientId, tooLate)
  await markReplaced(tx, old.id)
  const about = { entity: 'prices', entityId: before.id, before }
  if (!entry.price) {
    await deleteRow(tx, 'price', before.id)
    await insertAudit(tx, author, { ...about, action: 'delete' })
    tell(priceWritten('removed', before))
    return undefined
  }
  await updatePrice(tx, before.id, entry.price, { ...before, isFuture: false })
  const after = (await findPrice(tx, before.id)) ?? before
  await reviewEdited(tx, before, after, {
    userId: actor.userId,
    mayDecide: actor.permissions.includes('prices.write'),
  })
  await insertAudit(tx, author, { ...about, action: 'update', after })
  await linkPrices(tx, [{ id: row.id, priceId: before.id }])
  tell(priceWritten('changed', before, after))
  return received(entry.clientId, before.id)
}

async function lockedPrice(tx: Db, id: number): Promise<PriceRow | undefined> {
  await lockRow(tx, 'price', id)
  return findPrice(tx, id)
}
