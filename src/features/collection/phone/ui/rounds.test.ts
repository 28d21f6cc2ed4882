import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { phoneStorage } from '../../../../../tests/support/phone-storage.ts'

const none = { quotesWanted: 1, lastPrice: null, usual: null, absence: null }
const goodsOf = (...ids: number[]) =>
  ids.map((productId) => ({ productId, name: `Produit ${productId}`, weight: 'kg', ...none }))
const market = { id: 5, name: 'Gambela', timeZone: 'Africa/Kinshasa' }
const agentId = 3

const storage = phoneStorage()

beforeEach(async () => {
  vi.resetModules()
  storage.start()
  const { privateKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, [
    'sign',
  ])
  storage.set('agents', [{ userId: agentId, name: 'Paul', deviceId: 'a', counter: 1, privateKey }])
  storage.set('agentId', agentId)
  storage.set('catalogueAt', Date.now())
  storage.set('round-5', { market, goods: goodsOf(1, 2, 3), fetchedAt: '2026-03-01T07:00:00.000Z' })
})

afterAll(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

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
})
