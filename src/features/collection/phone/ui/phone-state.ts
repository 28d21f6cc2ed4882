import {
  isUnreceived,
  itemsOf,
  keyOfGood,
  leavesAlone,
  type PhoneEntry,
  type PhonePhoto,
  type RoundItem,
} from '#features/collection/phone/phone.rules.ts'
import { readSetting } from '#features/collection/phone/ui/database.ts'
import type { PhoneAgent } from '#features/collection/phone/ui/device.ts'
import type { ReturnedPrice } from '#features/collection/returns/returns.contract.ts'
import type { RoundGood, RoundMarket } from '#features/collection/rounds/rounds.contract.ts'
import { dayIn } from '#shared/days.ts'
import type { Currency } from '#shared/fields.ts'
import { createListeners } from '#web/listeners.ts'

/** The goods of a market as last fetched; `fetchedAt` is the server's time. */
export type StoredRound = { market: RoundMarket; goods: RoundGood[]; fetchedAt: string }

/** A product of the catalogue on the phone. */
export type CatalogueGood = Pick<RoundGood, 'productId' | 'name' | 'weight'>

/** A visit under way; each key typed is saved to disk as a draft. */
export type OpenVisit = {
  marketId: number
  /** When it began, by the device; its entries refer to it. */
  startedAt: string
  current: string | null
  typed: string
  /** Id of the entry that the current good already had when it was selected. */
  formerId?: string | undefined
  /** Typed prices that are not stored yet, by the key of their good. */
  drafts?: Readonly<Record<string, string>>
  /** Currencies that the agent chose, by product: those of its drafts and of its other quotes too. */
  currencies?: Readonly<Record<number, Currency>>
  /** Goods that are not on the list of the market. */
  added?: readonly RoundGood[]
  /** Position where it began, if allowed. */
  position?: PhoneEntry['position']
}

/** What the screens of a visit under way show. */
export type VisitScreenProps = { state: PhoneState; round: StoredRound; visit: OpenVisit }

export type PhoneState = {
  isLoaded: boolean
  agents: readonly PhoneAgent[]
  agentId: number | null
  markets: readonly RoundMarket[]
  round: StoredRound | null
  visit: OpenVisit | null
  /** The market that the agent chose, until its visit begins: its list may be coming over a slow network. */
  opening: number | null
  screen: 'markets' | 'round' | 'summary' | 'sends'
  entries: readonly PhoneEntry[]
  catalogue: readonly CatalogueGood[]
  /** Photos not sent yet. */
  photos: readonly PhonePhoto[]
  /** Prices returned to the agent, as last fetched. */
  returned: readonly ReturnedPrice[]
  isSending: boolean
  /** When the server last received a batch, by the device's clock. */
  lastReceivedAt: string | null
  /** Error message shown until the next action. */
  failure: string | null
}

let state: PhoneState = {
  isLoaded: false,
  agents: [],
  agentId: null,
  markets: [],
  round: null,
  visit: null,
  opening: null,
  screen: 'markets',
  catalogue: [],
  entries: [],
  photos: [],
  returned: [],
  isSending: false,
  lastReceivedAt: null,
  failure: null,
}
const listeners = createListeners()

export const phoneState = (): PhoneState => state

export const subscribeToPhone = listeners.subscribe

export function setPhoneState(change: Partial<PhoneState>): void {
  state = { ...state, ...change }
  listeners.notify()
}

/** Message where the phone cannot store an entry. */
export const noRoom = 'Pas enregistré\u00a0: le téléphone n’a plus de place. Libérez-en, puis recommencez.'

/** Message when the phone cannot read its database, as may happen when its storage is full. */
export const noReading =
  'Vos relevés n’ont pas pu être lus. Libérez de la place sur ce téléphone, puis réessayez.'

/** Replaces the entries that have the same ids. */
export function replaceEntries(changed: readonly PhoneEntry[]): void {
  const byId = new Map(changed.map((entry) => [entry.id, entry]))
  setPhoneState({ entries: state.entries.map((entry) => byId.get(entry.id) ?? entry) })
}

/** Returns the goods of the visit, in the order of the list on the screen. */
export function itemsOfVisit({ round, visit, agentId }: PhoneState): RoundItem[] {
  if (!round || !visit) return []
  const day = dayIn(round.market.timeZone, new Date(visit.startedAt))
  return itemsOf([...round.goods, ...(visit.added ?? [])], `${agentId} ${round.market.id} ${day}`)
}

/**
 * Returns the last entry of each good of the visit, by the good's key. One that was replaced is not the last, even if a
 * clock that went back made its replacement earlier.
 */
export function entriesOfVisit({ entries, visit, agentId }: PhoneState): Map<string, PhoneEntry> {
  const own = entries.filter((entry) => entry.visit === visit?.startedAt && entry.agentId === agentId)
  const replaced = new Set(own.map(({ replaces }) => replaces))
  return new Map(own.filter(({ id }) => !replaced.has(id)).map((entry) => [keyOfGood(entry), entry]))
}

/** Returns the typed prices of the visit that are not stored, by the key of their good. */
export function draftsOf(visit: OpenVisit | null): Readonly<Record<string, string>> {
  const { current, typed, drafts } = visit ?? {}
  return { ...drafts, ...(current && typed && { [current]: typed }) }
}

/** Returns the agent's entries that the server has not received: waiting, sent, or to be checked. */
export function unreceived({ entries, agentId }: PhoneState): PhoneEntry[] {
  return entries.filter((entry) => isUnreceived(entry) && entry.agentId === agentId)
}

/** Returns the agent's photos that the server has not received. */
export function photosOfAgent({ photos, agentId }: PhoneState): PhonePhoto[] {
  return photos.filter((photo) => photo.agentId === agentId)
}

/** Returns what of the agent leaves without them, and how many entries and photos they must check. */
export function leftOf(state: PhoneState): { unsent: PhoneEntry[]; photos: number; toCheck: number } {
  const unsent = unreceived(state).filter(leavesAlone)
  const photos = photosOfAgent(state).filter(({ message }) => message === null).length
  const all = unreceived(state).length + photosOfAgent(state).length
  return { unsent, photos, toCheck: all - unsent.length - photos }
}

/** Returns the markets that an agent last fetched, from the disk. */
export async function readMarkets(agentId: number): Promise<RoundMarket[]> {
  const own = await readSetting<RoundMarket[]>(`markets-${agentId}`)
  if (own) return own
  // A phone in use may hold the single list of before, which is that of its last agent.
  const isLast = (await readSetting<number | null>('agentId')) === agentId
  return (isLast && (await readSetting<RoundMarket[] | null>('markets'))) || []
}

export async function readReturned(agentId: number): Promise<ReturnedPrice[]> {
  return (await readSetting<ReturnedPrice[]>(`returned-${agentId}`)) ?? []
}

export async function readRound(marketId: number): Promise<StoredRound | null> {
  return (await readSetting<StoredRound>(`round-${marketId}`)) ?? null
}
