import { createHash } from 'node:crypto'
import { momentOf } from '#features/collection/entries/clock.rules.ts'
import {
  type CollectionEntry,
  collectionEntry,
  type EntryReceipt,
  sendBatch,
} from '#features/collection/entries/entries.contract.ts'
import { findLastPrice, findPlaces } from '#features/collection/entries/entries.sql.ts'
import { type Ready, storeEntries } from '#features/collection/entries/entry-writes.routes.ts'
import { inTheFuture, refused } from '#features/collection/entries/receipts.rules.ts'
import type { PriceChange } from '#features/prices/live/live.contract.ts'
import { oldestPriceDay } from '#features/prices/prices.rules.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { AppError } from '#server/errors.ts'
import { type Api, signedIn } from '#server/http/endpoint.ts'
import { authorOf } from '#server/writes.ts'
import { clockToleranceMs, dayIn } from '#shared/days.ts'

const dayNeeded =
  'Le jour de ce relevé n’est pas sûr\u00a0: l’horloge du téléphone a changé. Quel jour était-ce\u202f?'

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
      else ready.push({ ...(await readyEntry(db, entry, when)), marketPosition: place?.position ?? null })
    }
    const changes: PriceChange[] = []
    const stored = await inTransaction(db, async (tx) => {
      changes.length = 0
      return storeEntries(tx, ready, {
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
  if (at === null || at < oldest || at > receivedAt + clockToleranceMs) return null
  // A clock slightly fast must not date a price tomorrow.
  return new Date(Math.min(at, receivedAt)).toISOString()
}

async function readyEntry(
  db: Db,
  entry: CollectionEntry,
  when: string,
): Promise<Omit<Ready, 'marketPosition'>> {
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
    phonePosition: entry.position,
    reason: kind === 'absent' ? (reason ?? null) : null,
    isBlind: isBlind === true,
    bodyHash: createHash('sha256').update(JSON.stringify(said)).digest(),
    deviceAt: new Date(entry.deviceAt).toISOString(),
  }
}

const idOf = (item: unknown) => String(Object(item).id ?? '').slice(0, 100)
