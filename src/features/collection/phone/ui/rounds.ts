import { collectionAddresses } from '#features/collection/collection.addresses.ts'
import { hearServerTime } from '#features/collection/phone/ui/clock.ts'
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
  type PhoneState,
  phoneState,
  readReturned,
  readRound,
  type StoredRound,
  setPhoneState,
} from '#features/collection/phone/ui/phone-state.ts'
import { fetchReturned } from '#features/collection/phone/ui/returned.ts'
import { sendAll } from '#features/collection/phone/ui/sender.ts'
import type { catalogueOfPhones, rounds } from '#features/collection/rounds/rounds.contract.ts'
import { dayMs } from '#shared/days.ts'
import { messageOf } from '#web/api.ts'

/** Number of rounds fetched in advance, for the agent's own markets. */
const mostAhead = 5

/** Makes a user the agent of this phone, and fetches their markets. */
export async function becomeAgent({ userId }: PhoneAgent): Promise<void> {
  await writeSetting('agentId', userId)
  const returned = await readReturned(userId)
  setPhoneState({ agents: await loadAgents(), agentId: userId, returned, screen: 'markets', failure: null })
  await setVisit(null)
  await fetchMarkets()
  void sendAll()
}

/** Signs the agent out of this phone; unsent entries stay on it. */
export async function leavePhone(): Promise<void> {
  const { agentId } = phoneState()
  if (agentId !== null) await forgetAgent(agentId)
  await setVisit(null)
  await writeSetting('agentId', null)
  setPhoneState({ agents: await loadAgents(), agentId: null, screen: 'markets', failure: null })
}

/** Makes the user signed in to the site the agent, if there is none. */
export async function findAgent(): Promise<void> {
  if (phoneState().agentId === null) {
    const agent = await adoptSession()
    if (agent) await becomeAgent(agent)
  } else await fetchMarkets()
}

const retryMs = 15_000
let again: ReturnType<typeof setTimeout> | undefined

/** Fetches the markets, and the rounds of the agent's own; without a network, the stored ones stay. */
async function fetchMarkets(): Promise<void> {
  const { agentId } = phoneState()
  if (agentId === null) return
  try {
    const { data } = await exchangeAs<typeof rounds.list>(agentId, collectionAddresses.rounds, {})
    if (!Array.isArray(data)) return
    await fetchReturned()
    setPhoneState({ markets: data, failure: null })
    await writeSetting('markets', data)
    for (const { id } of data.filter(({ isOwn }) => isOwn).slice(0, mostAhead)) await fetchRound(id)
  } catch (error) {
    if (phoneState().markets.length > 0) return
    setPhoneState({ failure: messageOf(error) })
    // No visit can begin without a list, so this retries until it is there.
    clearTimeout(again)
    again = setTimeout(() => void fetchMarkets(), retryMs)
  }
}

async function fetchRound(marketId: number): Promise<StoredRound | null> {
  const { agentId } = phoneState()
  if (agentId === null) return null
  const { market, goods, serverTime } = await exchangeAs<typeof rounds.find>(
    agentId,
    collectionAddresses.round,
    { params: { marketId } },
  )
  if (!Array.isArray(goods)) return null
  await hearServerTime(serverTime)
  const round = { market, goods, fetchedAt: serverTime }
  await writeSetting(`round-${marketId}`, round)
  return round
}

/** Begins a visit with the stored list; a newer list replaces it while nothing is entered. */
export async function beginVisit(marketId: number): Promise<void> {
  setPhoneState({ failure: null })
  const stored = await readRound(marketId)
  if (stored) await openVisit(stored)
  try {
    await takeNewerRound(marketId)
    await fetchCatalogue()
  } catch (error) {
    if (!stored) {
      setPhoneState({
        failure: `La liste de ce marché n’est pas encore sur ce téléphone. ${messageOf(error)}`,
      })
    }
  }
}

async function takeNewerRound(marketId: number): Promise<void> {
  const begun = phoneState().visit
  const fresh = await fetchRound(marketId)
  await entriesStored()
  const state = phoneState()
  // On a slow network it comes late: the visit may have ended, or another may have begun.
  const isStill = state.visit?.startedAt === begun?.startedAt
  if (fresh && isStill && isBlank(state)) await (state.visit ? replaceRound(fresh) : openVisit(fresh))
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
  setPhoneState({ round, screen: 'round' })
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
  await setVisit(null)
  setPhoneState({ screen: 'markets', round: null, failure: null })
  void sendAll(true)
}
