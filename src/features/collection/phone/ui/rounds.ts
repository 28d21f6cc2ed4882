import { collectionAddresses } from '#features/collection/collection.addresses.ts'
import { recordServerTime } from '#features/collection/phone/ui/clock.ts'
import { readSetting, writeSetting } from '#features/collection/phone/ui/database.ts'
import {
  adoptSession,
  exchangeAs,
  forgetAgent,
  loadAgents,
  type PhoneAgent,
} from '#features/collection/phone/ui/device.ts'
import { entriesStored, renewVisit, setVisit } from '#features/collection/phone/ui/field-store.ts'
import {
  draftsOf,
  entriesOfVisit,
  itemsOfVisit,
  noRoom,
  type PhoneState,
  phoneState,
  readMarkets,
  readReturned,
  readRound,
  type StoredRound,
  setPhoneState,
} from '#features/collection/phone/ui/phone-state.ts'
import { fetchReturned } from '#features/collection/phone/ui/returned.ts'
import { sendAll } from '#features/collection/phone/ui/sender.ts'
import type { catalogueOfPhones, rounds } from '#features/collection/rounds/rounds.contract.ts'
import { dayMs } from '#shared/days.ts'
import { ApiError, messageOf } from '#web/api.ts'

/** Number of rounds fetched in advance, for the agent's own markets. */
const mostAhead = 5

/** Makes a user the agent of this phone, and fetches their markets. */
export async function becomeAgent({ userId }: PhoneAgent): Promise<void> {
  // `readMarkets` uses this setting for an agent without a list of their own: it holds the former agent's list.
  await writeSetting('markets', null)
  await writeSetting('agentId', userId)
  const [agents, markets, returned] = await Promise.all([
    loadAgents(),
    readMarkets(userId),
    readReturned(userId),
  ])
  setPhoneState({ agents, agentId: userId, markets, returned, screen: 'markets', failure: null })
  await setVisit(null)
  await Promise.all([fetchMarkets(), fetchReturned()])
  void sendAll()
}

/** Signs the agent out of this phone; unsent entries stay on it. */
export async function leavePhone(): Promise<void> {
  const { agentId } = phoneState()
  if (agentId !== null) await forgetAgent(agentId)
  await setVisit(null)
  await writeSetting('agentId', null)
  setPhoneState({
    agents: await loadAgents(),
    agentId: null,
    opening: null,
    screen: 'markets',
    failure: null,
  })
}

/** Makes the user signed in to the site the agent, if there is none. */
export async function findAgent(): Promise<void> {
  if (phoneState().agentId !== null) return
  const agent = await adoptSession()
  if (agent) await becomeAgent(agent)
}

const marketsAgeMs = 30 * 60_000
/** When the markets on the screen were asked for, by the device's clock; 0 where they did not come. */
let askedAt = 0

/**
 * Fetches the markets between visits: where they did not come, after half an hour, and once entries were received,
 * which may have made a planned visit.
 */
export async function refreshMarkets(): Promise<void> {
  const { visit, lastReceivedAt } = phoneState()
  const isRecent = Math.abs(Date.now() - askedAt) < marketsAgeMs
  if (visit || (isRecent && !(Date.parse(lastReceivedAt ?? '') > askedAt))) return
  await fetchMarkets()
}

const retryMs = 15_000
let again: ReturnType<typeof setTimeout> | undefined

/** Fetches the markets, and the rounds of the agent's own; without a network, the stored ones stay. */
async function fetchMarkets(): Promise<void> {
  const { agentId } = phoneState()
  if (agentId === null) return
  // Before they come, so that two events ask for them once.
  askedAt = Date.now()
  try {
    const { data } = await exchangeAs<typeof rounds.list>(agentId, collectionAddresses.rounds, {})
    if (phoneState().agentId !== agentId) return
    // The response of a captive portal is no list.
    if (!Array.isArray(data)) throw new ApiError(500, 'Erreur réseau')
    setPhoneState({ markets: data, ...(phoneState().markets.length === 0 && { failure: null }) })
    await writeSetting(`markets-${agentId}`, data)
    for (const { id } of data.filter(({ isOwn }) => isOwn).slice(0, mostAhead)) await fetchAhead(id)
  } catch (error) {
    if (phoneState().agentId !== agentId) return
    askedAt = 0
    if (phoneState().markets.length > 0) return
    setPhoneState({ failure: messageOf(error) })
    // No visit can begin without a list, so this retries until it is there.
    clearTimeout(again)
    again = setTimeout(() => void fetchMarkets(), retryMs)
  }
}

/** Stores the list of a market for its next visit; that of a visit under way stays, also for the next start. */
async function fetchAhead(marketId: number): Promise<void> {
  const round = await fetchRound(marketId)
  const { visit, opening } = phoneState()
  if (round && marketId !== visit?.marketId && marketId !== opening) await storeRound(round)
}

function storeRound(round: StoredRound): Promise<void> {
  return writeSetting(`round-${round.market.id}`, round)
}

async function fetchRound(marketId: number): Promise<StoredRound | null> {
  const { agentId } = phoneState()
  if (agentId === null) return null
  const { market, goods, serverTime } = await exchangeAs<typeof rounds.find>(
    agentId,
    collectionAddresses.round,
    { params: { marketId } },
  )
  if (!Array.isArray(goods)) throw new ApiError(500, 'Erreur réseau')
  await recordServerTime(serverTime)
  return { market, goods, fetchedAt: serverTime }
}

/** Begins a visit with the stored list; a newer list replaces it while nothing is entered. */
export async function beginVisit(marketId: number): Promise<void> {
  if (phoneState().opening === marketId) return
  setPhoneState({ failure: null, opening: marketId })
  const stored = await readRound(marketId)
  // The agent may have chosen another market meanwhile.
  const isChosen = () => phoneState().opening === marketId
  if (!isChosen()) return
  if (stored) await openVisit(stored)
  try {
    await takeNewerRound(marketId)
    await fetchCatalogue()
  } catch (error) {
    if (!isChosen()) return
    setPhoneState({
      failure: `La liste de ce marché n’est pas encore sur ce téléphone. ${messageOf(error)}`,
    })
  } finally {
    if (isChosen()) setPhoneState({ opening: null })
  }
}

async function takeNewerRound(marketId: number): Promise<void> {
  const begun = phoneState().visit
  const fresh = await fetchRound(marketId)
  await entriesStored()
  const state = phoneState()
  // On a slow network the list arrives late: the visit may have ended, or the agent may have chosen another market.
  const isStill = begun ? state.visit?.startedAt === begun.startedAt : state.opening === marketId
  if (!fresh || !isStill || !isBlank(state)) return
  // Stored only when the visit takes it, because the next start loads what is stored.
  await Promise.all([
    storeRound(fresh).catch(() => setPhoneState({ failure: noRoom })),
    state.visit ? replaceRound(fresh) : openVisit(fresh),
  ])
}

function isBlank(state: PhoneState): boolean {
  return Object.keys(draftsOf(state.visit)).length === 0 && entriesOfVisit(state).size === 0
}

/** Begins the open visit anew when the page is shown on another day; a newer list replaces that of the day before. */
export function followDay(): void {
  const refresh = async () => {
    const state = phoneState()
    if (state.visit && isBlank(state)) await takeNewerRound(state.visit.marketId).catch(() => {})
  }
  document.addEventListener('visibilitychange', async () => {
    if (!document.hidden && (await renewVisit())) await refresh()
  })
  void refresh()
}

const catalogueAgeMs = 7 * dayMs

/** Fetches all products once a week, for goods that are not on the list of a market. */
async function fetchCatalogue(): Promise<void> {
  const { agentId } = phoneState()
  const fetchedAt = (await readSetting<number>('catalogueAt')) ?? 0
  if (agentId === null || Math.abs(Date.now() - fetchedAt) < catalogueAgeMs) return
  const { data } = await exchangeAs<typeof catalogueOfPhones>(agentId, collectionAddresses.catalogue, {})
  if (!Array.isArray(data)) return
  setPhoneState({ catalogue: data })
  await writeSetting('catalogue', data)
  await writeSetting('catalogueAt', Date.now())
}

async function openVisit(round: StoredRound): Promise<void> {
  const startedAt = new Date().toISOString()
  const visit = { marketId: round.market.id, startedAt, current: null, typed: '' }
  const [first] = itemsOfVisit({ ...phoneState(), round, visit })
  setPhoneState({ round, opening: null, screen: 'round' })
  // In one write: between two, the agent could enter the first good, which the second would select again.
  await setVisit({ ...visit, current: first?.key ?? null })
  locate(startedAt)
}

/** Takes a newer list into the visit. The good on the screen stays, so that no tap falls on another one. */
async function replaceRound(round: StoredRound): Promise<void> {
  const { visit } = phoneState()
  if (!visit) return
  const items = itemsOfVisit({ ...phoneState(), round })
  setPhoneState({ round })
  if (items.some(({ key }) => key === visit.current)) return
  await setVisit({ ...visit, current: items[0]?.key ?? null })
}

const fixMs = { timeout: 60_000, maximumAge: 5 * 60_000 }

/** Asks the phone for the position of the visit. Without permission or signal, the visit goes on. */
function locate(startedAt: string): void {
  navigator.geolocation?.getCurrentPosition(
    ({ coords: { latitude, longitude, accuracy } }) => {
      const { visit } = phoneState()
      if (visit?.startedAt !== startedAt) return
      void setVisit({ ...visit, position: { latitude, longitude, accuracyM: Math.round(accuracy) } })
    },
    () => {},
    fixMs,
  )
}

/** Ends the visit; goods without an entry count as not collected. */
export async function endVisit(): Promise<void> {
  // With the visit, whose screens have nothing to show without it.
  setPhoneState({ screen: 'markets', round: null, visit: null, failure: null })
  await setVisit(null)
  void sendAll(true).then(refreshMarkets)
}
