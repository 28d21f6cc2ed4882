import {
  itemsOf,
  keyOfGood,
  type PhoneEntry,
  type PhonePhoto,
  type RoundItem,
  typedAfter,
} from '#features/collection/phone/phone.rules.ts'
import {
  loadEntries,
  loadPhotos,
  readSetting,
  removeEntries,
  storeEntry,
  writeSetting,
} from '#features/collection/phone/ui/base.ts'
import { loadClock, momentNow } from '#features/collection/phone/ui/clock.ts'
import { loadAgents, type PhoneAgent } from '#features/collection/phone/ui/device.ts'
import { bindPhoto } from '#features/collection/phone/ui/photos.ts'
import type { ReturnedPrice } from '#features/collection/returns/returns.contract.ts'
import type { RoundGood, RoundMarket } from '#features/collection/rounds/rounds.contract.ts'
import { dayIn } from '#shared/days.ts'

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
  /** Typed prices that are not stored yet, by the key of their good. */
  drafts?: Readonly<Record<string, string>>
  /** Goods that are not on the list of the market. */
  added?: readonly RoundGood[]
  /** Position where it began, if allowed. */
  position?: PhoneEntry['position']
}

export type FieldState = {
  isLoaded: boolean
  agents: readonly PhoneAgent[]
  agentId: number | null
  markets: readonly RoundMarket[]
  round: StoredRound | null
  visit: OpenVisit | null
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

let state: FieldState = {
  ...{ isLoaded: false, agents: [], agentId: null, markets: [], round: null, visit: null, screen: 'markets' },
  ...{
    catalogue: [],
    entries: [],
    photos: [],
    returned: [],
    isSending: false,
    lastReceivedAt: null,
    failure: null,
  },
}
const listeners = new Set<() => void>()

export const fieldState = (): FieldState => state

export function followField(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function setField(change: Partial<FieldState>): void {
  state = { ...state, ...change }
  for (const listener of listeners) listener()
}

/** Message where the phone cannot store an entry. */
export const noRoom = 'Pas enregistré\u00a0: le téléphone n’a plus de place. Libérez-en, puis recommencez.'

const keptReceived = 500

/** Loads all data stored on the phone. */
export async function loadField(): Promise<void> {
  await loadClock()
  const [agents, agentId, markets, visit, lastReceivedAt, entries, photos, catalogue] = await Promise.all([
    loadAgents(),
    readSetting<number | null>('agentId'),
    readSetting<RoundMarket[]>('markets'),
    readSetting<OpenVisit | null>('visit'),
    readSetting<string>('lastReceivedAt'),
    loadEntries(),
    loadPhotos(),
    readSetting<CatalogueGood[]>('catalogue'),
  ])
  const received = entries.filter(({ state }) => state === 'received')
  const old = received.slice(0, Math.max(0, received.length - keptReceived)).map(({ id }) => id)
  if (old.length > 0) await removeEntries(old)
  const round = visit ? await readRound(visit.marketId) : null
  const agent = agents.find(({ userId }) => userId === agentId) ?? agents[0]
  setField({
    isLoaded: true,
    agents,
    agentId: agent?.userId ?? null,
    markets: markets ?? [],
    entries: entries.filter(({ id }) => !old.includes(id)),
    photos,
    catalogue: catalogue ?? [],
    lastReceivedAt: lastReceivedAt ?? null,
    returned: agent ? await readReturned(agent.userId) : [],
    ...(visit && round && { visit, round, screen: 'round' as const }),
  })
}

export async function readReturned(agentId: number): Promise<ReturnedPrice[]> {
  return (await readSetting<ReturnedPrice[]>(`returned-${agentId}`)) ?? []
}

export async function readRound(marketId: number): Promise<StoredRound | null> {
  return (await readSetting<StoredRound>(`round-${marketId}`)) ?? null
}

/** Sets the visit. If the phone is full, it stays on the screen, with a message that it is not saved. */
export async function setVisit(visit: OpenVisit | null): Promise<void> {
  setField({ visit })
  await writeSetting('visit', visit).catch(() => setField({ failure: noRoom }))
}

/** Returns the goods of the visit in order. */
export function itemsOfVisit({ round, visit, agentId }: FieldState): RoundItem[] {
  if (!round || !visit) return []
  const day = dayIn(round.market.timeZone, new Date(visit.startedAt))
  return itemsOf([...round.goods, ...(visit.added ?? [])], `${agentId} ${round.market.id} ${day}`)
}

/** Returns the last entry of each good of the visit, by the good's key. */
export function entriesOfVisit({ entries, visit, agentId }: FieldState): Map<string, PhoneEntry> {
  const own = entries.filter((entry) => entry.visit === visit?.startedAt && entry.agentId === agentId)
  return new Map(own.map((entry) => [keyOfGood(entry), entry]))
}

/** Returns the agent's entries that have no receipt yet. */
export function unreceived({ entries, agentId }: FieldState): PhoneEntry[] {
  return entries.filter((entry) => entry.state !== 'received' && entry.agentId === agentId)
}

// Reloads entries changed by another tab of the program, so that this one cannot undo an entry already sent.
const others = new BroadcastChannel('ntalo-collecte')
others.onmessage = async () => {
  if (state.isLoaded) setField({ entries: await loadEntries() })
}

/** Tells the other tabs that stored entries have changed. */
export const tellOthers = (): void => others.postMessage('changed')

/** Replaces the entries that have the same ids. */
export function replaceEntries(changed: readonly PhoneEntry[]): void {
  const byId = new Map(changed.map((entry) => [entry.id, entry]))
  setField({ entries: state.entries.map((entry) => byId.get(entry.id) ?? entry) })
}

export type SaidOfGood = Pick<PhoneEntry, 'kind' | 'isDoubtful'> &
  Partial<Pick<PhoneEntry, 'priceValue' | 'currency' | 'reason'>>

let entering: Promise<void> = Promise.resolve()

/** Stores the entry of a good, replacing the previous one, and goes to the next good. */
export function enter(item: RoundItem, said: SaidOfGood): Promise<void> {
  entering = storeSaid(item, said)
  return entering
}

/** Adds a key to the typed price, after the previous good is stored. */
export async function typeKey(key: string): Promise<void> {
  await entering.catch(() => {})
  if (state.visit) await setVisit({ ...state.visit, typed: typedAfter(state.visit.typed, key) })
}

async function storeSaid(item: RoundItem, said: SaidOfGood): Promise<void> {
  const { round, visit, agentId } = state
  if (!round || !visit || agentId === null) return
  const former = entriesOfVisit(state).get(item.key)
  const isUndone = former?.state === 'waiting' || former?.state === 'check'
  const entry: PhoneEntry = {
    ...{ id: newId(), agentId, productId: item.productId, marketId: round.market.id, turn: item.turn },
    ...{ priceValue: null, currency: 'CDF', reason: null, isBlind: item.isBlind, ...said },
    replaces: former && !isUndone ? former.id : (former?.replaces ?? null),
    ...(await momentNow()),
    ...{ fetchedAt: round.fetchedAt, day: null, visit: visit.startedAt },
    ...(visit.position && { position: visit.position }),
    ...{ label: `${item.name}, ${item.weight}`, state: 'waiting', message: null, isDayNeeded: false },
  }
  // Hidden first, so that it cannot be sent from here on.
  if (former && isUndone) setField({ entries: state.entries.filter(({ id }) => id !== former.id) })
  try {
    await storeEntry(entry)
    if (former && isUndone) await removeEntries([former.id])
  } catch {
    setField({
      ...(former && isUndone && { entries: [...state.entries, former] }),
      failure: noRoom,
    })
    return
  }
  setField({ entries: [...state.entries, entry], failure: null })
  await bindPhoto({ visit: entry.visit, good: item.key }, entry)
  tellOthers()
  await goToNext(item.key)
}

/** Undoes the last entry if it is not sent; a sent entry is asked again and corrected. */
export async function undo(): Promise<void> {
  const last = [...entriesOfVisit(state).values()].reduce<PhoneEntry | undefined>(
    (latest, entry) => (latest && latest.id > entry.id ? latest : entry),
    undefined,
  )
  if (!last) return
  if (last.state === 'waiting') {
    setField({ entries: state.entries.filter(({ id }) => id !== last.id) })
    await removeEntries([last.id])
    tellOthers()
  }
  await select(keyOfGood(last))
}

export async function select(key: string): Promise<void> {
  const { visit } = state
  setField({ screen: 'round', failure: null })
  if (!visit || visit.current === key) return
  const { [key]: typed = '', ...others } = visit.drafts ?? {}
  const drafts = visit.current && visit.typed ? { ...others, [visit.current]: visit.typed } : others
  await setVisit({ ...visit, current: key, typed, drafts })
}

/** Adds a good to this visit, unless it is already in it, and selects it. */
export async function addGood(good: CatalogueGood): Promise<void> {
  const { visit } = state
  if (!visit) return
  if (!itemsOfVisit(state).some(({ productId }) => productId === good.productId)) {
    const unknown = { quotesWanted: 1, lastPrice: null, usual: null, absence: null }
    await setVisit({ ...visit, added: [...(visit.added ?? []), { ...good, ...unknown }] })
  }
  await select(keyOfGood({ productId: good.productId, turn: 0 }))
}

async function goToNext(key: string): Promise<void> {
  if (!state.visit) return
  const items = itemsOfVisit(state)
  const done = entriesOfVisit(state)
  const from = items.findIndex((item) => item.key === key) + 1
  const next = [...items.slice(from), ...items.slice(0, from)].find((item) => !done.has(item.key))
  const { [next?.key ?? '']: typed = '', ...drafts } = state.visit.drafts ?? {}
  await setVisit({ ...state.visit, current: next?.key ?? null, typed, drafts })
  if (!next) setField({ screen: 'summary' })
}

/** Returns a UUID of version 7, so that the ids of one phone are in the order of creation. */
export function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  const random = Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
  const variant = '89ab'[Number.parseInt(random.slice(3, 4), 16) & 3]
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`
}
