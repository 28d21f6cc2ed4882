import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import type { RoundMarket } from '#features/collection/rounds/rounds.contract.ts'
import { phoneStorage } from '../../../../../tests/support/phone-storage.ts'

const none = { quotesWanted: 1, lastPrice: null, usual: null, absence: null }
const goodsOf = (...ids: number[]) =>
  ids.map((productId) => ({ productId, name: `Produit ${productId}`, weight: 'kg', ...none }))
const market = { id: 5, name: 'Gambela', timeZone: 'Africa/Kinshasa' }
const agentId = 3

let storage = phoneStorage()

beforeEach(async () => {
  vi.resetModules()
  storage = phoneStorage()
  storage.start()
  const { privateKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, [
    'sign',
  ])
  const agentOf = (userId: number, name: string) => ({ userId, name, deviceId: 1, counter: 1, privateKey })
  storage.set('agents', [agentOf(agentId, 'Paul'), agentOf(4, 'Marie')])
  storage.set('agentId', agentId)
  storage.set('catalogueAt', Date.now())
  storage.set('round-5', { market, goods: goodsOf(1, 2, 3), fetchedAt: '2026-03-01T07:00:00.000Z' })
})

afterAll(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** Starts the program on what its storage holds. */
async function started() {
  vi.resetModules()
  storage.start()
  const { loadPhoneState } = await import('#features/collection/phone/ui/field-store.ts')
  await loadPhoneState()
  const rounds = await import('#features/collection/phone/ui/rounds.ts')
  return { ...rounds, ...(await import('#features/collection/phone/ui/phone-state.ts')) }
}

/** Answers each request by its path; without an answer, there is no network. */
function serve(answerTo: (path: string) => object | undefined | Promise<object | undefined>): void {
  vi.stubGlobal('fetch', async (url: string) => {
    const answer = url.includes('/session') ? { token: 't' } : await answerTo(url)
    if (!answer) throw new TypeError('Failed to fetch')
    return Response.json(answer)
  })
}

const planned: RoundMarket = { ...market, location: 'Kinshasa', isOwn: true, plannedOn: '2026-03-03' }
const visited: RoundMarket = { ...planned, plannedOn: null }

/** Begins a visit with the stored list; the server's list arrives when `answer` is called. */
async function begun(goods: ReturnType<typeof goodsOf>) {
  const { promise: allowed, resolve: answer } = Promise.withResolvers<void>()
  vi.stubGlobal('fetch', async (url: string) => {
    if (!url.includes('/rounds/')) return Response.json({ token: 't' })
    await allowed
    return Response.json({ market, goods, serverTime: '2026-03-02T07:00:00.000Z' })
  })
  const { enter, loadPhoneState } = await import('#features/collection/phone/ui/field-store.ts')
  const store = await import('#features/collection/phone/ui/phone-state.ts')
  const { beginVisit } = await import('#features/collection/phone/ui/rounds.ts')
  await loadPhoneState()
  const beginning = beginVisit(market.id)
  const { promise: opened, resolve } = Promise.withResolvers<void>()
  store.subscribeToPhone(() => store.phoneState().visit?.current && resolve())
  await opened
  const ended = () => {
    answer()
    return beginning
  }
  return { ...store, enter, ended }
}

test('a newer list of the market leaves the good on the screen, under the thumb of the agent', async () => {
  const { phoneState, itemsOfVisit, ended } = await begun(goodsOf(1, 2, 3, 4, 5, 6))
  const { visit } = phoneState()
  await ended()
  expect(phoneState().visit).toEqual(visit)
  expect(itemsOfVisit(phoneState())).toHaveLength(6)
})

test('a good that a newer list no longer has gives its place to the first of the list', async () => {
  const { phoneState, itemsOfVisit, ended } = await begun(goodsOf(4, 5))
  const { visit } = phoneState()
  await ended()
  const [first] = itemsOfVisit(phoneState())
  expect(phoneState().visit).toEqual({ ...visit, current: first?.key })
})

test('once something is entered, the list of the visit stays', async () => {
  const { phoneState, itemsOfVisit, enter, ended } = await begun(goodsOf(4, 5))
  const [first] = itemsOfVisit(phoneState())
  await enter(first!, { kind: 'typed', priceValue: 1000, isDoubtful: false })
  await ended()
  expect(itemsOfVisit(phoneState())).toHaveLength(3)
  const again = await started()
  expect(again.itemsOfVisit(again.phoneState())).toHaveLength(3)
})

test('a list fetched in advance that arrives during the visit is not that of the visit after a restart', async () => {
  const { beginVisit, refreshMarkets } = await started()
  const { promise: isLate, resolve: arrive } = Promise.withResolvers<object>()
  const lists = [isLate]
  serve((path) => (path.endsWith('/rounds') ? { data: [planned] } : lists.shift()))
  const asking = refreshMarkets()
  await expect.poll(() => lists).toEqual([])
  await beginVisit(5)
  arrive({ market, goods: goodsOf(4, 5), serverTime: '2026-03-02T08:00:00.000Z' })
  await asking
  const { itemsOfVisit, phoneState } = await started()
  expect(itemsOfVisit(phoneState())).toHaveLength(3)
})

test('the markets come once there is a network again, and no planned visit stays after it was made', async () => {
  storage.set(`markets-${agentId}`, [planned])
  const { endVisit, phoneState, refreshMarkets, setPhoneState } = await started()
  let [isReachable, asked, data] = [false, 0, [planned]]
  serve((path) => {
    if (!path.endsWith('/rounds')) return { market, goods: [], serverTime: '' }
    asked += 1
    return isReachable ? { data } : undefined
  })
  await refreshMarkets()
  expect(phoneState()).toMatchObject({ markets: [planned], failure: null })
  isReachable = true
  setPhoneState({ failure: 'Pas enregistré' })
  await refreshMarkets()
  await refreshMarkets()
  expect(asked).toBe(2)
  expect(phoneState().failure).toBe('Pas enregistré')
  data = [visited]
  setPhoneState({ lastReceivedAt: new Date(Date.now() + 1).toISOString() })
  await endVisit()
  await expect.poll(() => phoneState().markets).toEqual([visited])
})

test('an agent never sees the markets of the one before, and a phone in use keeps its own', async () => {
  storage.set('markets', [planned])
  serve(() => undefined)
  const { becomeAgent, leavePhone, phoneState } = await started()
  expect(phoneState().markets).toEqual([planned])
  await leavePhone()
  await becomeAgent(phoneState().agents[0]!)
  expect(phoneState()).toMatchObject({ agentId: 4, markets: [] })
  expect((await started()).phoneState()).toMatchObject({ agentId: 4, markets: [] })
})

test('markets that arrive after their agent has left are not those of the next one', async () => {
  const { becomeAgent, leavePhone, phoneState, refreshMarkets } = await started()
  const { promise: isLate, resolve: arrive } = Promise.withResolvers<object>()
  serve((path) => (path.endsWith('/rounds') ? isLate : undefined))
  const asking = refreshMarkets()
  await leavePhone()
  serve(() => undefined)
  await becomeAgent(phoneState().agents[0]!)
  arrive({ data: [planned] })
  await asking
  expect(phoneState()).toMatchObject({ agentId: 4, markets: [] })
})

test('a market whose list is not on the phone is said to be opening until its list comes, and one chosen after it goes first', async () => {
  const { beginVisit, phoneState } = await started()
  const { promise: allowed, resolve: arrive } = Promise.withResolvers<object>()
  serve((path) => (path.includes('/rounds/8') ? allowed : undefined))
  const beginning = [beginVisit(8), beginVisit(8)]
  expect(phoneState()).toMatchObject({ opening: 8, visit: null })
  await beginVisit(5)
  expect(phoneState()).toMatchObject({ opening: null, visit: { marketId: 5 }, screen: 'round' })
  arrive({ market: { ...market, id: 8 }, goods: [], serverTime: '2026-03-02T08:00:00.000Z' })
  await Promise.all(beginning)
  expect(phoneState()).toMatchObject({ opening: null, visit: { marketId: 5 } })
})

test('a market whose list cannot come is opening no more, and the agent reads why', async () => {
  const { beginVisit, phoneState } = await started()
  serve(() => ({ answer: 'of a captive portal' }))
  await beginVisit(8)
  expect(phoneState()).toMatchObject({ opening: null, screen: 'markets' })
  expect(phoneState().failure).toContain('La liste de ce marché n’est pas encore sur ce téléphone.')
})

test('the screens of a visit are never shown without it', async () => {
  const { beginVisit, endVisit, phoneState, subscribeToPhone } = await started()
  serve(() => undefined)
  await beginVisit(5)
  const shown: boolean[] = []
  subscribeToPhone(() => shown.push(phoneState().screen === 'markets' || phoneState().visit !== null))
  await endVisit()
  expect(new Set(shown)).toEqual(new Set([true]))
})
