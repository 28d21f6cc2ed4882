import type { CollectionEntry, EntryReceipt } from '#features/collection/entries/entries.contract.ts'
import type { RoundGood } from '#features/collection/rounds/rounds.contract.ts'
import { isFarFromLast } from '#features/prices/check/check.rules.ts'
import { readAmount } from '#shared/amounts.ts'
import { dayMs } from '#shared/days.ts'
import type { Currency } from '#shared/fields.ts'

/**
 * State of an entry: waiting to be sent, can be undone; sent and frozen, receipt unknown; received; or to be checked by
 * its agent, because it was refused or its day is needed.
 */
export type EntryState = 'waiting' | 'sent' | 'received' | 'check'

/** An entry on the phone: the fields sent to the server, and those that the agent recognises it by. */
export type PhoneEntry = {
  id: string
  agentId: number
  productId: number
  marketId: number
  /** Index from 0 among the quotes wanted of a product. */
  turn: number
  kind: CollectionEntry['kind']
  priceValue: number | null
  currency: Currency
  reason: CollectionEntry['reason'] | null
  isBlind: boolean
  isDoubtful: boolean
  replaces: string | null
  /** Ids of the unsent entries that this entry replaced on the phone. */
  undoes?: readonly string[]
  /** Position of the phone, if allowed. */
  position?: CollectionEntry['position']
  /** Id of the returned price that it answers, and when that was returned. */
  answers?: number
  returnedAt?: string
  deviceAt: string
  clockOffsetMs: number | null
  fetchedAt: string | null
  hasGoneBack: boolean
  day: string | null
  /** Identifies a visit of a market: the time at which it began, by the device's clock. */
  visit: string
  label: string
  state: EntryState
  /** Why its agent must check it. */
  message: string | null
  isDayNeeded: boolean
}

/** Whether the server has not received an entry: it is waiting, sent, or to be checked. */
export const isUnreceived = ({ state }: Pick<PhoneEntry, 'state'>) => state !== 'received'

/** Whether an unreceived entry is sent without its agent; one to be checked waits for them. */
export const leavesAlone = ({ state }: Pick<PhoneEntry, 'state'>) => state === 'waiting' || state === 'sent'

const lateMs = dayMs

/**
 * Returns when the oldest of unsent entries was made, if more than a day ago; null otherwise. An entry that seems to be
 * made later, because the clock was set back, is not late.
 */
export function lateSince(unsent: readonly Pick<PhoneEntry, 'deviceAt'>[], now: number): string | null {
  const [oldest] = unsent.map(({ deviceAt }) => deviceAt).toSorted()
  return oldest !== undefined && now - Date.parse(oldest) > lateMs ? oldest : null
}

/** A photo on the phone that proves a price; its bytes are stored separately, under their SHA-256. */
export type PhonePhoto = {
  sha256: string
  agentId: number
  /** Visit and good that it shows; `visit` is empty for a returned price. */
  visit: string
  good: string
  /** Id of the entry that it proves, once there is one. */
  entryId: string | null
  label: string
  /** Why it was refused. */
  message: string | null
}

/** Whether two photos show the same good of the same visit; an agent keeps one of it. */
export function showsSameGood(
  one: Pick<PhonePhoto, 'visit' | 'good' | 'agentId'>,
  other: { visit: string; good: string; agentId: number | null },
): boolean {
  return one.visit === other.visit && one.good === other.good && one.agentId === other.agentId
}

/** A good to collect, once for each quote wanted of it. */
export type RoundItem = RoundGood & { key: string; turn: number; isBlind: boolean }

const blindShare = 10

/**
 * Returns the goods of a round in order. One in ten hides its last price; the choice changes each day and survives a
 * restart.
 */
export function itemsOf(goods: readonly RoundGood[], seed: string): RoundItem[] {
  return goods.flatMap((good) =>
    Array.from({ length: good.quotesWanted }, (_, turn) => {
      const key = `${good.productId}-${turn}`
      const isBlind = good.lastPrice !== null && hashOf(`${seed} ${key}`) % blindShare === 0
      return { ...good, key, turn, isBlind }
    }),
  )
}

export const keyOfGood = ({ productId, turn }: { productId: number; turn: number }) => `${productId}-${turn}`

// FNV-1a, then mixed, so that neighbours in a list do not get similar hashes.
function hashOf(text: string): number {
  let hash = 2_166_136_261
  for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619)
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_507)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** Returns four prices below the last one and four above, one usual step apart. */
export function nearPrices(value: number, currency: Currency): number[] {
  const step = currency === 'USD' ? (value < 5 ? 0.1 : value < 50 ? 0.5 : 1) : stepOfFrancs(value)
  const near = [-4, -3, -2, -1, 1, 2, 3, 4].map((n) => Math.round((value + n * step) * 100) / 100)
  return near.filter((price) => price > 0)
}

function stepOfFrancs(value: number): number {
  if (value < 5_000) return 50
  if (value < 20_000) return 100
  return value < 100_000 ? 500 : 1_000
}

/**
 * Returns why a price must be confirmed, and the price more likely meant; null for a usual one. Bounds are in CDF, and a
 * phone knows no exchange rate: dollars are compared with the last price in dollars, and as many dollars as francs are
 * usual are too many.
 */
export function doubtAbout(
  price: number,
  currency: Currency,
  { usual, lastPrice }: Pick<RoundGood, 'usual' | 'lastPrice'>,
): { likely: number | null; times: number | null } | null {
  const last = lastPrice?.currency === currency ? lastPrice.value : null
  if (currency === 'USD') {
    const isFar = isFarFromLast(price, last) || (usual !== null && price >= usual.low)
    return isFar ? { likely: last, times: null } : null
  }
  if (!usual || (price >= usual.low && price <= usual.high)) return null
  // One or two zeros too many or too few.
  const slipped = [10, 100, 0.1, 0.01].map((factor) => ({ likely: price / factor, times: factor }))
  const likely = slipped.find((each) => each.likely >= usual.low && each.likely <= usual.high)
  if (likely) return likely
  return { likely: last, times: null }
}

/** Smallest step between proposed prices, in CDF. */
const leastStep = 10

/**
 * Returns usual prices that begin with the digits typed, and one digit more; none in dollars, or where no usual price
 * is known.
 */
export function beginningWith(
  typed: string,
  currency: Currency,
  { usual }: Pick<RoundGood, 'usual'>,
): number[] {
  const amount = typedAmount(typed)
  if (currency !== 'CDF' || !usual || amount === null || amount >= usual.low) return []
  for (const factor of [10, 100, 1_000, 10_000, 100_000]) {
    const step = Math.max(leastStep, factor / 10)
    const prices = Array.from({ length: factor / step }, (_, n) => amount * factor + n * step)
    const found = prices.filter((price) => price >= usual.low && price <= usual.high)
    if (found.length > 0) return found
  }
  return []
}

/** Returns the text after a key of the pad: at most nine digits, two of them after a comma. */
export function typedAfter(typed: string, key: string): string {
  if (key === 'back') return typed.slice(0, -1)
  const next = typed === '0' && key !== ',' ? key : typed + key
  return /^\d{1,9}(,\d{0,2})?$/.test(next) && next !== '00' ? next : typed
}

/** Returns the typed amount; null for none. */
export function typedAmount(typed: string): number | null {
  const value = Number(typed.replace(',', '.'))
  return typed && value > 0 ? value : null
}

/** Returns the amount in a text box; null for none, more than two decimals, or one with two readings. */
export function writtenAmount(text: string): number | null {
  const plain = readAmount(text)?.plain ?? ''
  return /^\d{1,9}(\.\d{1,2})?$/.test(plain) && Number(plain) > 0 ? Number(plain) : null
}

/** Returns the body sent to the server, without the fields that only the phone needs. */
export function bodyOf(entry: PhoneEntry): CollectionEntry {
  const {
    id,
    productId,
    marketId,
    kind,
    isBlind,
    replaces,
    answers,
    deviceAt,
    clockOffsetMs,
    fetchedAt,
    hasGoneBack,
    day,
  } = entry
  const said =
    kind === 'absent' ? { reason: entry.reason } : { priceValue: entry.priceValue, currency: entry.currency }
  return {
    id,
    productId,
    marketId,
    kind,
    ...said,
    isBlind,
    deviceAt,
    clockOffsetMs,
    fetchedAt,
    hasGoneBack,
    ...(replaces && { replaces }),
    ...(answers && { answers }),
    ...(entry.position && { position: entry.position }),
    ...(day && { day }),
  }
}

/** Returns an entry updated with its receipt. */
export function afterReceipt(entry: PhoneEntry, { state, message }: EntryReceipt): PhoneEntry {
  if (state === 'received') return { ...entry, state, message: null, isDayNeeded: false }
  return { ...entry, state: 'check', message, isDayNeeded: state === 'day_needed' }
}

/** Returns an entry of which the agent has said the day; what was asked is answered. */
export function withDay(entry: PhoneEntry, day: string): PhoneEntry {
  return { ...entry, day, state: 'waiting', message: null, isDayNeeded: false }
}

/**
 * Returns the ids of entries that no longer count: those that another one undid, where the phone stopped before it
 * deleted them, and those refused after the agent corrected them.
 */
export function undoneAmong(entries: readonly PhoneEntry[]): string[] {
  const undone = new Set(entries.flatMap(({ undoes = [] }) => undoes))
  const corrected = new Set(entries.map(({ replaces }) => replaces))
  return entries
    .filter(
      ({ id, state }) =>
        (state === 'check' && corrected.has(id)) ||
        ((state === 'waiting' || state === 'check') && undone.has(id)),
    )
    .map(({ id }) => id)
}

/** Returns the receipts in a response; null where it comes from a captive portal or proxy instead of our server. */
export function receiptsIn(answer: unknown): EntryReceipt[] | null {
  const { receipts } = Object(answer)
  return Array.isArray(receipts) ? receipts : null
}

/**
 * Runs a task for each agent of the phone, one after the other. A failure for one agent, whose account may be closed,
 * does not stop the others.
 * @returns the failures
 */
export async function forEachAgent<Agent>(
  agents: readonly Agent[],
  work: (agent: Agent) => Promise<void>,
): Promise<{ agent: Agent; error: unknown }[]> {
  const failures: { agent: Agent; error: unknown }[] = []
  for (const agent of agents) await work(agent).catch((error: unknown) => failures.push({ agent, error }))
  return failures
}
