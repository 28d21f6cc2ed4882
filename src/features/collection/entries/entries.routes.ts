import { createHash } from 'node:crypto'
import { momentOf } from '#features/collection/entries/clock.rules.ts'
import { groupsByCorrection } from '#features/collection/entries/corrections.rules.ts'
import {
  type CollectionEntry,
  collectionEntry,
  type EntryReceipt,
  sendBatch,
} from '#features/collection/entries/entries.contract.ts'
import {
  claimEntries,
  countRecentGoods,
  describeAbsences,
  findLastPrice,
  findPlaces,
  forgetEntries,
  linkPrices,
  lockOwnEntry,
  markReplaced,
  type ReadyEntry,
  type StoredEntry,
} from '#features/collection/entries/entries.sql.ts'
import { doubtOfVisit } from '#features/collection/entries/visit-doubts.rules.ts'
import { answerReturn } from '#features/collection/returns/returns.routes.ts'
import { reviewEdited } from '#features/prices/doubt/doubt.sql.ts'
import type { PriceChange } from '#features/prices/live/live.contract.ts'
import { priceWritten } from '#features/prices/live/live.rules.ts'
import { mayEditPrice, oldestPriceDay } from '#features/prices/prices.rules.ts'
import { findPrice, insertPrices, type PriceRow, updatePrice } from '#features/prices/prices.sql.ts'
import { type Author, insertAudit } from '#server/audit.sql.ts'
import { deleteRow } from '#server/db/delete-row.ts'
import { lockRow } from '#server/db/lock-row.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError } from '#server/errors.ts'
import type { Actor } from '#server/http/actor.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { authorOf } from '#server/writes.ts'
import { dayIn } from '#shared/days.ts'
import type { Currency } from '#shared/fields.ts'
import type { GeoPoint } from '#shared/geography.ts'

const dayNeeded =
  'Le jour de ce relevé n’est pas sûr\u00a0: l’horloge du téléphone a changé. Quel jour était-ce\u202f?'
const inTheFuture = 'La date de ce relevé est dans le futur.'
const noSeries = 'Ce produit ou ce marché n’existe plus.'
const notYours = 'Cet identifiant est déjà pris par un autre relevé.'
const nothingBefore = 'Ce produit n’a pas encore de prix ici\u00a0: saisissez-le.'
const tooLate = 'Ce relevé ne peut plus être corrigé\u00a0: il a plus de 48 heures.'

/** Accepted lead of a device clock over the server's. */
const fastMs = 5 * 60_000

/** An entry ready to be stored, with its price if it needs one. */
type Ready = ReadyEntry & {
  price: { priceValue: number; currency: Currency } | null
  replaces: string | null
  /** Positions of the phone and of the market; null where unknown. */
  position: CollectionEntry['position']
  at: GeoPoint | null
}
type Fresh = { entry: Ready; row: StoredEntry }
type Writing = { actor: Actor; author: Author; device: string; tell: (change: PriceChange) => void }

/**
 * Registers the endpoint that receives batches.
 * @param tell called with each change once it is committed
 */
export function entryRoutes(api: Api, db: Db, tell: (change: PriceChange) => void): void {
  api.on(sendBatch, async (call) => {
    const actor = signedIn(call.actor)
    const { deviceId, agentId, sentAt, entries } = call.body
    if (agentId != null && agentId !== actor.userId) {
      throw new AppError(
        'forbidden',
        'Ces relevés sont ceux d’un autre compte\u00a0: ils attendent sa session.',
      )
    }
    const receivedAt = Date.now()
    const receipts = new Map<string, EntryReceipt>()
    const readable = new Map<string, CollectionEntry>()
    for (const item of entries) {
      const { success, data, error } = collectionEntry.safeParse(item)
      if (success) readable.set(data.id.toLowerCase(), data)
      else receipts.set(idOf(item), refused(idOf(item), error.issues[0]?.message ?? 'Relevé illisible'))
    }
    const places = await findPlaces(
      db,
      [...readable.values()].map(({ marketId }) => marketId),
    )
    const ready: Ready[] = []
    for (const entry of readable.values()) {
      const place = places.get(entry.marketId)
      const timeZone = place?.timeZone ?? 'Africa/Kinshasa'
      const when = whenOf(entry, sentAt ?? null, { receivedAt, timeZone })
      const isFuture = when !== null && when.length === 10 && when > dayIn(timeZone, new Date(receivedAt))
      if (isFuture) receipts.set(entry.id, refused(entry.id, inTheFuture))
      else if (when === null) receipts.set(entry.id, { ...refused(entry.id, dayNeeded), state: 'day_needed' })
      else ready.push({ ...(await readyEntry(db, entry, when)), at: place?.position ?? null })
    }
    const changes: PriceChange[] = []
    const stored = await inTransaction(db, async (tx) => {
      changes.length = 0
      return store(tx, ready, {
        actor,
        author: authorOf(call),
        device: deviceId,
        tell: (change) => changes.push(change),
      })
    })
    for (const receipt of stored) receipts.set(receipt.id, receipt)
    for (const change of changes) tell(change)
    // An id in capitals and in small letters is one entry, which has a receipt under each spelling.
    for (const id of entries.map(idOf)) {
      const receipt = receipts.get(readable.get(id.toLowerCase())?.id ?? id)
      if (receipt) receipts.set(id, { ...receipt, id })
    }
    return { receipts: [...receipts.values()], serverTime: new Date().toISOString() }
  })
}

/** Returns an instant, the day given by the agent, or null when the agent must be asked for the day. */
function whenOf(
  { day, deviceAt, clockOffsetMs = null, fetchedAt, hasGoneBack }: CollectionEntry,
  sentAt: string | null,
  { receivedAt, timeZone }: { receivedAt: number; timeZone: string },
): string | null {
  if (day) return day
  const oldest = Date.parse(oldestPriceDay)
  const at = momentOf({
    deviceAt: Date.parse(deviceAt),
    sentAt: sentAt ? Date.parse(sentAt) : null,
    receivedAt,
    timeZone,
    offsetMs: clockOffsetMs,
    fetchedAt: fetchedAt ? Date.parse(fetchedAt) : null,
    hasGoneBack: hasGoneBack === true,
  })
  if (at === null || at < oldest || at > receivedAt + fastMs) return null
  // A clock slightly fast must not date a price tomorrow.
  return new Date(Math.min(at, receivedAt)).toISOString()
}

async function readyEntry(db: Db, entry: CollectionEntry, when: string): Promise<Omit<Ready, 'at'>> {
  const { id: clientId, productId, marketId, kind, reason, isBlind, replaces = null, answers = null } = entry
  const { priceValue, currency } = entry
  const said = [productId, marketId, kind, priceValue ?? null, currency ?? null, reason ?? null, replaces]
  // Added only when present, so that the hashes of entries sent before this field existed stay valid.
  if (answers !== null) said.push(answers)
  const typed = priceValue ? { priceValue, currency: currency ?? 'CDF' } : null
  const isPriced = kind === 'typed' || kind === 'unchanged'
  const price = !isPriced ? null : (typed ?? (await findLastPrice(db, productId, marketId)) ?? null)
  return {
    clientId,
    productId,
    marketId,
    kind,
    when,
    replaces,
    answers,
    price,
    position: entry.position,
    reason: kind === 'absent' ? (reason ?? null) : null,
    isBlind: isBlind === true,
    bodyHash: createHash('sha256').update(JSON.stringify(said)).digest(),
    deviceAt: new Date(entry.deviceAt).toISOString(),
  }
}

/** Writes entries, their prices and their receipts in one transaction. Refused entries are not stored. */
async function store(tx: Db, ready: readonly Ready[], writing: Writing): Promise<EntryReceipt[]> {
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
  await forgetEntries(
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

/** Writes the prices of entries that do not correct that of another. */
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
    written.map(({ entry: { marketId, when, position, at }, row, price }) => ({
      productId: row.productId,
      marketId,
      when,
      ...price,
      doubt: doubtOfVisit(recent.get(row.id) ?? { goods: 1, seconds: 0 }, position ?? null, at),
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

const idOf = (item: unknown) => String(Object(item).id ?? '').slice(0, 100)

function received(id: string, priceId: number | null): EntryReceipt {
  return { id, state: 'received', priceId, message: null }
}

function refused(id: string, message: string): EntryReceipt {
  return { id, state: 'refused', priceId: null, message }
}
