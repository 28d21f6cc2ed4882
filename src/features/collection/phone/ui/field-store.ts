import {
  keyOfGood,
  type PhoneEntry,
  type RoundItem,
  typedAfter,
  undoneAmong,
} from '#features/collection/phone/phone.rules.ts'
import { loadClock, readClock } from '#features/collection/phone/ui/clock.ts'
import {
  loadEntries,
  loadPhotos,
  readSetting,
  removeEntries,
  storeEntry,
  writeSetting,
} from '#features/collection/phone/ui/database.ts'
import { loadAgents } from '#features/collection/phone/ui/device.ts'
import {
  type CatalogueGood,
  draftsOf,
  entriesOfVisit,
  itemsOfVisit,
  noRoom,
  type OpenVisit,
  phoneState,
  readMarkets,
  readReturned,
  readRound,
  type StoredRound,
  setPhoneState,
} from '#features/collection/phone/ui/phone-state.ts'
import { bindPhoto } from '#features/collection/phone/ui/photos.ts'
import { dayIn } from '#shared/days.ts'
import type { Currency } from '#shared/fields.ts'

const keptReceived = 500

/** Loads all data stored on the phone. */
export async function loadPhoneState(): Promise<void> {
  await loadClock()
  const [agents, agentId, visit, lastReceivedAt, entries, photos, catalogue] = await Promise.all([
    loadAgents(),
    readSetting<number | null>('agentId'),
    readSetting<OpenVisit | null>('visit'),
    readSetting<string>('lastReceivedAt'),
    loadEntries(),
    loadPhotos(),
    readSetting<CatalogueGood[]>('catalogue'),
  ])
  const received = entries.filter((entry) => entry.state === 'received' && entry.visit !== visit?.startedAt)
  const old = received.slice(0, Math.max(0, received.length - keptReceived)).map(({ id }) => id)
  if (old.length > 0) await removeEntries(old).catch(() => {})
  const round = visit ? await readRound(visit.marketId) : null
  const agent = agents.find(({ userId }) => userId === agentId) ?? agents[0]
  setPhoneState({
    agents,
    agentId: agent?.userId ?? null,
    markets: agent ? await readMarkets(agent.userId) : [],
    entries: entries.filter(({ id }) => !old.includes(id)),
    photos,
    catalogue: catalogue ?? [],
    lastReceivedAt: lastReceivedAt ?? null,
    returned: agent ? await readReturned(agent.userId) : [],
    ...(visit && round && { visit, round, screen: 'round' as const }),
  })
  await resumeVisit()
  await renewVisit()
  setPhoneState({ isLoaded: true })
}

/** Goes to the next good if the program was stopped after it stored the entry of the current one. */
async function resumeVisit(): Promise<void> {
  const { current, formerId } = phoneState().visit ?? {}
  const stored = current && entriesOfVisit(phoneState()).get(current)
  if (stored && stored.id !== formerId) await goToNext(current)
}

/**
 * Begins the open visit anew if its day is over, because its entries would count as made, and be corrected instead.
 * Drafts and added goods stay; the position does not, because the agent may not be at the market yet.
 * @returns whether it began anew
 */
export async function renewVisit(): Promise<boolean> {
  let isNew = false
  await oneEntryAtATime(async () => {
    const { round, visit, screen } = phoneState()
    const startedAt = new Date().toISOString()
    if (!round || !visit || isSameDay(round, visit.startedAt, startedAt)) return
    isNew = true
    const { position: _, formerId: __, ...kept } = visit
    const current = visit.current ?? itemsOfVisit(phoneState())[0]?.key ?? null
    if (screen === 'summary') setPhoneState({ screen: 'round' })
    await setVisit({ ...kept, startedAt, current })
  })
  return isNew
}

function isSameDay({ market: { timeZone } }: StoredRound, before: string, now: string): boolean {
  return dayIn(timeZone, new Date(before)) === dayIn(timeZone, new Date(now))
}

/** Sets the visit. If the phone is full, it stays on the screen, with a message that it is not saved. */
export async function setVisit(visit: OpenVisit | null): Promise<void> {
  setPhoneState({ visit })
  await writeSetting('visit', visit).catch(() => setPhoneState({ failure: noRoom }))
}

// Reloads entries changed by another tab of the program, so that this one cannot undo an entry already sent.
const others = new BroadcastChannel('ntalo-collecte')
// In turn with the agent's own: an entry made after the disk was read would leave the screen, and be made twice.
others.onmessage = () =>
  oneEntryAtATime(async () => {
    if (phoneState().isLoaded) setPhoneState({ entries: await loadEntries() })
  })

/** Tells the other tabs that stored entries have changed. */
export const tellOthers = (): void => others.postMessage('changed')

/** What the agent says of a good: its price, or why there is none. */
export type GoodAnswer = Pick<PhoneEntry, 'kind' | 'isDoubtful'> &
  Partial<Pick<PhoneEntry, 'priceValue' | 'currency' | 'reason'>>

let queue: Promise<unknown> = Promise.resolve()

/** Resolves when no entry is being stored any more. */
export const entriesStored = (): Promise<unknown> => queue.catch(() => {})

/** Runs changes of entries one after another, because two quick taps must not read the same state. */
export function oneEntryAtATime(work: () => Promise<void>): Promise<void> {
  const done = entriesStored().then(work)
  queue = done
  return done
}

/** Stores the entry of a good, replacing the previous one, and goes to the next good. */
export function enter(item: RoundItem, answer: GoodAnswer): Promise<void> {
  const { round, visit, agentId } = phoneState()
  return oneEntryAtATime(async () => {
    if (!round || !visit || agentId === null) return
    const moment = await readClock()
    // Read last: the entry may have been frozen to be sent meanwhile.
    const last = entriesOfVisit({ ...phoneState(), visit, agentId }).get(item.key)
    // An entry replaces only an entry of the same day. When the clock has gone back, the day cannot be compared.
    const isOfToday = last && (moment.hasGoneBack || isSameDay(round, last.deviceAt, moment.deviceAt))
    const former = isOfToday ? last : undefined
    const isUndone = former?.state === 'waiting' || former?.state === 'check'
    const entry: PhoneEntry = {
      id: newId(),
      agentId,
      productId: item.productId,
      marketId: round.market.id,
      turn: item.turn,
      priceValue: null,
      currency: 'CDF',
      reason: null,
      isBlind: item.isBlind,
      ...answer,
      replaces: former && !isUndone ? former.id : (former?.replaces ?? null),
      ...moment,
      fetchedAt: round.fetchedAt,
      day: null,
      visit: visit.startedAt,
      ...(visit.position && { position: visit.position }),
      label: `${item.name}, ${item.weight}`,
      state: 'waiting',
      message: null,
      isDayNeeded: false,
    }
    if (!(await storeInstead(entry, isUndone ? former : undefined))) return
    await bindPhoto({ visit: entry.visit, good: item.key }, entry)
    if (phoneState().visit?.startedAt === visit.startedAt) await goToNext(item.key)
  })
}

/**
 * Stores a new entry in the place of an unsent one, if there is one, so that whatever stops the program only one of them
 * is left.
 * @returns whether it is stored; without room for it, the former entry stays
 */
export async function storeInstead(entry: PhoneEntry, former?: PhoneEntry): Promise<boolean> {
  const made = former ? { ...entry, undoes: [...(former.undoes ?? []), former.id] } : entry
  const without = (id: string | undefined) => phoneState().entries.filter((each) => each.id !== id)
  // Hidden first, so that it cannot be sent from here on.
  if (former) setPhoneState({ entries: without(former.id) })
  try {
    await storeEntry(made)
  } catch {
    // One of its two copies may be there.
    await removeEntries([made.id]).catch(() => {})
    setPhoneState({ ...(former && { entries: [...without(former.id), former] }), failure: noRoom })
    return false
  }
  // Where this fails, the next start does it.
  if (former) await removeEntries([former.id]).catch(() => {})
  setPhoneState({ entries: [...without(former?.id).filter(({ id }) => id !== made.id), made], failure: null })
  tellOthers()
  return true
}

/** Removes the entries that no longer count. */
export async function removeUndone(): Promise<void> {
  const undone = undoneAmong(phoneState().entries)
  if (undone.length === 0) return
  setPhoneState({ entries: phoneState().entries.filter(({ id }) => !undone.includes(id)) })
  await removeEntries(undone)
}

/** Adds a key to the typed price, after the previous good is stored. */
export async function typeKey(key: string): Promise<void> {
  await entriesStored()
  const { visit } = phoneState()
  if (visit) await setVisit({ ...visit, typed: typedAfter(visit.typed, key) })
}

/** Sets the currency of a product for this visit; what is typed stays. */
export async function chooseCurrency(productId: number, currency: Currency): Promise<void> {
  const { visit } = phoneState()
  if (visit) await setVisit({ ...visit, currencies: { ...visit.currencies, [productId]: currency } })
}

/** Undoes the last entry if it is not sent; a sent entry is asked again and corrected. */
export function undo(): Promise<void> {
  return oneEntryAtATime(async () => {
    const last = [...entriesOfVisit(phoneState()).values()].reduce<PhoneEntry | undefined>(
      (latest, entry) => (latest && latest.id > entry.id ? latest : entry),
      undefined,
    )
    if (!last) return
    if (last.state === 'waiting' && !(await removeUnsent(last))) return
    await select(keyOfGood(last))
  })
}

/**
 * Deletes an unsent entry.
 * @returns whether it is deleted; where the phone is full, it stays
 */
async function removeUnsent(entry: PhoneEntry): Promise<boolean> {
  const others = () => phoneState().entries.filter(({ id }) => id !== entry.id)
  // Hidden first, so that it cannot be sent from here on.
  setPhoneState({ entries: others() })
  try {
    await removeEntries([entry.id])
  } catch {
    setPhoneState({ entries: [...others(), entry], failure: noRoom })
    return false
  }
  tellOthers()
  return true
}

export async function select(key: string): Promise<void> {
  const { visit } = phoneState()
  setPhoneState({ screen: 'round', failure: null })
  if (!visit || visit.current === key) return
  const { [key]: typed = '', ...drafts } = draftsOf(visit)
  const formerId = entriesOfVisit(phoneState()).get(key)?.id
  await setVisit({ ...visit, current: key, typed, drafts, formerId })
}

/** Adds a good to this visit, unless it is already in it, and selects it. */
export async function addGood(good: CatalogueGood): Promise<void> {
  const { visit } = phoneState()
  if (!visit) return
  if (!itemsOfVisit(phoneState()).some(({ productId }) => productId === good.productId)) {
    const unknown = { quotesWanted: 1, lastPrice: null, usual: null, absence: null }
    await setVisit({ ...visit, added: [...(visit.added ?? []), { ...good, ...unknown }] })
  }
  await select(keyOfGood({ productId: good.productId, turn: 0 }))
}

async function goToNext(key: string): Promise<void> {
  const state = phoneState()
  if (!state.visit) return
  const items = itemsOfVisit(state)
  const done = entriesOfVisit(state)
  const from = items.findIndex((item) => item.key === key) + 1
  const next = [...items.slice(from), ...items.slice(0, from)].find((item) => !done.has(item.key))
  const { [next?.key ?? '']: typed = '', ...drafts } = state.visit.drafts ?? {}
  await setVisit({ ...state.visit, current: next?.key ?? null, typed, drafts, formerId: undefined })
  if (!next) setPhoneState({ screen: 'summary' })
}

/** Returns a UUID of version 7, after those of the phone's entries even if its clock has gone back. */
export function newId(): string {
  const former = phoneState().entries.map(
    ({ id }) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) || 0,
  )
  const time = Math.max(Date.now(), ...former.map((ms) => ms + 1))
    .toString(16)
    .padStart(12, '0')
  const random = Array.from(crypto.getRandomValues(new Uint8Array(10)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
  const variant = '89ab'[Number.parseInt(random.slice(3, 4), 16) & 3]
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`
}
