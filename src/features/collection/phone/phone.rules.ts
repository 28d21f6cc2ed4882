import type { CollectionEntry, EntryReceipt } from '#features/collection/entries/entries.contract.ts'
import type { RoundGood } from '#features/collection/rounds/rounds.contract.ts'
import type { Currency } from '#shared/fields.ts'

/**
 * Where an entry stands: still to leave and to be undone; sent and frozen, its receipt unknown; received; or refused, or
 * without a day, for its agent to look at.
 */
export type EntryState = 'waiting' | 'sent' | 'received' | 'check'

/** An entry on the phone: what is sent, and what its agent needs to recognise it. */
export type PhoneEntry = {
  id: string
  agentId: number
  productId: number
  marketId: number
  /** Which of the quotes wanted of a product, from 0. */
  turn: number
  kind: CollectionEntry['kind']
  priceValue: number | null
  currency: Currency
  reason: CollectionEntry['reason'] | null
  isBlind: boolean
  isDoubtful: boolean
  replaces: string | null
  /** Where the phone was, if it may say so. */
  position?: CollectionEntry['position']
  /** The returned price that it answers about, and when that came back. */
  answers?: number
  returnedAt?: string
  deviceAt: string
  clockOffsetMs: number | null
  fetchedAt: string | null
  hasGoneBack: boolean
  day: string | null
  /** One visit of one market: the moment at which it began, by the device. */
  visit: string
  label: string
  state: EntryState
  /** Why it is to be looked at. */
  message: string | null
  isDayNeeded: boolean
}

/** A photo on the phone that is to prove a price; its bytes stand apart, under their SHA-256. */
export type PhonePhoto = {
  sha256: string
  agentId: number
  /** The good of a visit that it was taken of; without a visit, what else it is of. */
  visit: string
  good: string
  /** The entry that it proves, once there is one. */
  entryId: string | null
  label: string
  /** Why it was refused. */
  message: string | null
}

/** One good to be looked for, once for each quote that is wanted of it. */
export type RoundItem = RoundGood & { key: string; turn: number; isBlind: boolean }

const blindShare = 10

/** The goods of a round in their order; one in ten is asked without its last price, each day others, the same after a restart. */
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

// FNV-1a, then mixed: neighbours in a list must not be neighbours here.
function hashOf(text: string): number {
  let hash = 2_166_136_261
  for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619)
  hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_507)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** Four prices below the last one and four above, a usual step apart. */
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

/** Why a price is asked about, and what was more likely meant; null for a usual one. Bounds are in CDF. */
export function doubtAbout(
  price: number,
  currency: Currency,
  { usual, lastPrice }: Pick<RoundGood, 'usual' | 'lastPrice'>,
): { likely: number | null; times: number | null } | null {
  if (currency !== 'CDF' || !usual || (price >= usual.low && price <= usual.high)) return null
  // A zero too many or too few.
  const slipped = [10, 100, 0.1, 0.01].map((factor) => ({ likely: price / factor, times: factor }))
  const likely = slipped.find((each) => each.likely >= usual.low && each.likely <= usual.high)
  if (likely) return likely
  return { likely: lastPrice?.currency === 'CDF' ? lastPrice.value : null, times: null }
}

/** The smallest step between prices that are offered, in CDF. */
const leastStep = 10

/** Usual prices that begin with what is typed, and one digit more; none in dollars, or where nothing is usual. */
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

/** What a key of the pad makes of what is typed so far: at most nine digits, two of them after a comma. */
export function typedAfter(typed: string, key: string): string {
  if (key === 'back') return typed.slice(0, -1)
  const next = typed === '0' && key !== ',' ? key : typed + key
  return /^\d{1,9}(,\d{0,2})?$/.test(next) && next !== '00' ? next : typed
}

/** The amount that is typed; null for none. */
export function typedAmount(typed: string): number | null {
  const value = Number(typed.replace(',', '.'))
  return typed && value > 0 ? value : null
}

/** What leaves the phone: nothing that only the phone needs. */
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
    ...{ id, productId, marketId, kind, ...said, isBlind, deviceAt, clockOffsetMs, fetchedAt, hasGoneBack },
    ...(replaces && { replaces }),
    ...(answers && { answers }),
    ...(entry.position && { position: entry.position }),
    ...(day && { day }),
  }
}

/** An entry once its receipt is there. */
export function afterReceipt(entry: PhoneEntry, { state, message }: EntryReceipt): PhoneEntry {
  if (state === 'received') return { ...entry, state, message: null, isDayNeeded: false }
  return { ...entry, state: 'check', message, isDayNeeded: state === 'day_needed' }
}

/** The receipts of an answer of ours; null for what a portal or a proxy made up. */
export function receiptsIn(answer: unknown): EntryReceipt[] | null {
  const { receipts } = Object(answer)
  return Array.isArray(receipts) ? receipts : null
}
