import { expect, test } from 'vitest'
import { dayMs } from '#shared/days.ts'
import { insertMarket, insertPrice, insertProduct } from '../../../tests/support/catalogue.ts'
import { daysAgo } from '../../../tests/support/market-days.ts'
import { insertAccount, testServer } from '../../../tests/support/server.ts'
import { dashboard, dashboardChanges, getPriceAlerts } from './dashboard.contract.ts'

const server = await testServer()
const { db } = server
const today = daysAgo(0)
const productIds = [await insertProduct(db), await insertProduct(db)] as const
const marketIds = [await insertMarket(db), await insertMarket(db)] as const

test('the dashboard gives in one answer the same figures as its parts', async () => {
  for (let n = 0; n < 20; n++) {
    await insertPrice(db, {
      product_id: productIds[n % 3 ? 0 : 1],
      market_id: marketIds[n % 4 ? 0 : 1],
      price_value: 1000 + n,
      collector_name: n % 5 ? 'Amina' : 'Bola',
      day: daysAgo(n),
    })
  }
  const reader = await server.as('manager')
  for (const [query, days] of [
    ['', 'period=7d'],
    ['period=90d', 'period=90d'],
    [`marketId=${marketIds[0]}`, `period=7d&marketId=${marketIds[0]}`],
  ]) {
    const answer = await reader.get(`/api/statistics/dashboard?${query}`)
    expect(answer.status, answer.text).toBe(200)
    const { overview, analysis, latest, markets, products } = dashboard.parse(answer.body)
    expect(overview).toEqual((await reader.get(`/api/statistics/overview?${days}`)).body)
    const { startDate, endDate } = overview.days ?? {}
    const selection = `startDate=${startDate}&endDate=${endDate}${query?.startsWith('market') ? `&${query}` : ''}`
    expect((await reader.get(`/api/prices/analytics/summary?${selection}`)).body).toMatchObject(analysis)
    expect(Object((await reader.get(`/api/prices?limit=6&${selection}`)).body).data).toMatchObject(latest)
    expect((await reader.get(`/api/statistics/markets/activity?limit=5&${days}`)).body).toEqual({
      data: markets,
    })
    const movedIn = async (more: object) => {
      const asked = new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(selection)), ...more })
      const { change, priceTrend } = Object((await reader.get(`/api/prices/analytics/summary?${asked}`)).body)
      return { change, trend: priceTrend }
    }
    const changes = dashboardChanges.parse(
      (await reader.get(`/api/statistics/dashboard/changes?${query}`)).body,
    )
    expect(changes.markets.map(({ id }) => id)).toEqual(markets.map(({ id }) => id))
    expect(changes.products.map(({ id }) => id)).toEqual(products.map(({ id }) => id))
    for (const { id, ...of } of changes.markets) expect(of).toEqual(await movedIn({ marketId: String(id) }))
    for (const { id, ...of } of changes.products) expect(of).toEqual(await movedIn({ productId: String(id) }))
    expect(products.reduce((sum, { count }) => sum + count, 0)).toBe(overview.prices.total)
    expect(latest).toHaveLength(Math.min(6, overview.prices.total))
  }
})

test('the top collectors are those with most prices in the selection, with their last day', async () => {
  const reader = await server.as('manager')
  const of = async (query: string) =>
    dashboard.parse((await reader.get(`/api/statistics/dashboard?${query}`)).body).collectors
  const at = (n: number) => `${daysAgo(n)}T12:00:00.000Z`
  expect(await of('period=30d')).toEqual([
    { name: 'Amina', count: 16, lastCollectedAt: at(1) },
    { name: 'Bola', count: 4, lastCollectedAt: at(0) },
  ])
  expect(await of(`period=30d&marketId=${marketIds[1]}`)).toEqual([
    { name: 'Amina', count: 4, lastCollectedAt: at(4) },
    { name: 'Bola', count: 1, lastCollectedAt: at(0) },
  ])
  expect(await of('period=1d&search=introuvable')).toEqual([])
})

test('users see their own work: collectors their prices, administrators the tasks that wait', async () => {
  const userId = await insertAccount(db, { roles: ['agent'] })
  const agent = await server.clientOf(userId)
  const id = await insertPrice(db, { product_id: productIds[0], market_id: marketIds[0], day: today })
  await db.updateTable('price').set({ written_by: userId }).where('id', '=', id).execute()
  const seen = async (client: typeof agent) =>
    dashboard.parse((await client.get('/api/statistics/dashboard')).body)
  expect(await seen(agent)).toMatchObject({
    own: { today: 1, inPeriod: 1, lastCollectedAt: `${today}T12:00:00.000Z` },
    waiting: { silentAgents: null, pendingPayments: null, endingSubscriptions: null },
  })
  expect(await seen(await server.as('manager'))).toMatchObject({
    own: null,
    waiting: { silentAgents: null, pendingPayments: null, endingSubscriptions: 0 },
  })
  const past = await agent.get(`/api/statistics/dashboard?startDate=${daysAgo(9)}&endDate=${daysAgo(1)}`)
  expect(dashboard.parse(past.body).own).toMatchObject({ today: 1, inPeriod: 0 })
  const silent = await insertAccount(db, { roles: ['agent'] })
  expect(silent).toBeGreaterThan(0)
  // An administrator may collect, but has collected nothing.
  expect(await seen(await server.as('admin'))).toMatchObject({
    own: null,
    waiting: { silentAgents: 1, pendingPayments: 0, endingSubscriptions: 0 },
  })
})

test('a count of waiting tasks leads to the same number of rows', async () => {
  const userId = await insertAccount(db, { roles: ['subscriber'] })
  const inDays = (n: number) => new Date(Date.now() + n * dayMs)
  await db
    .insertInto('subscription')
    .values(
      [
        { status: 'ACTIVE', end_date: inDays(3) },
        { status: 'CANCELED', end_date: inDays(3) },
        { status: 'TRIAL', end_date: inDays(6.9) },
        { status: 'TRIAL', end_date: inDays(7.1) },
        { status: 'ACTIVE', end_date: inDays(-1) },
      ].map((each, n) => ({ ...each, user_id: userId, start_date: inDays(-30 - 40 * n) })),
    )
    .execute()
  const admin = await server.as('super admin')
  const { waiting } = dashboard.parse((await admin.get('/api/statistics/dashboard')).body)
  const total = async (list: string) => Object((await admin.get(`/api/${list}`)).body).pagination.total
  expect(waiting).toEqual({
    silentAgents: await total('agents?silent=true'),
    pendingPayments: await total('payments?status=PENDING'),
    endingSubscriptions: await total('subscriptions?ending=true'),
  })
  expect(waiting.endingSubscriptions).toBe(2)
  await db.deleteFrom('subscription').where('user_id', '=', userId).execute()
})

test('the count of a collector’s own prices equals the list that it leads to, whatever name the prices carry', async () => {
  const userId = await insertAccount(db, { roles: ['agent'] })
  const agent = await server.clientOf(userId)
  const east = await insertMarket(db, { time_zone: 'Africa/Lubumbashi' })
  for (const [name, day, market] of [
    ['Son ancien nom', today, marketIds[0]],
    ['Un autre', daysAgo(3), east],
    ['Un autre', daysAgo(40), east],
    // A market where it is already tomorrow.
    ['Un autre', daysAgo(-1), east],
  ] as const) {
    const id = await insertPrice(db, {
      product_id: productIds[0],
      market_id: market,
      day,
      collector_name: name,
    })
    await db.updateTable('price').set({ written_by: userId }).where('id', '=', id).execute()
  }
  const total = async (days: string) =>
    Object((await agent.get(`/api/prices?writtenBy=${userId}&${days}`)).body).pagination.total
  const own = async (query: string) =>
    dashboard.parse((await agent.get(`/api/statistics/dashboard?${query}`)).body).own
  const ofToday = await total(`startDate=${today}&endDate=${today}`)
  expect(ofToday).toBe(1)
  for (const [days, count] of [
    [`startDate=${daysAgo(6)}&endDate=${today}`, 2],
    [`startDate=${daysAgo(40)}&endDate=${daysAgo(3)}`, 2],
    [`startDate=${daysAgo(40)}`, 4],
    [`endDate=${daysAgo(1)}`, 2],
  ] as const) {
    expect(await own(days), days).toMatchObject({ today: ofToday, inPeriod: count })
    expect(await total(days), days).toBe(count)
  }
})

test('beyond the three alerts of the dashboard, all can be listed, also those of one market', async () => {
  const reader = await server.as('manager')
  const series = productIds.flatMap((product_id) =>
    marketIds.map((market_id, i) => ({ product_id, market_id, log_change: 0.3 + product_id / 100 + i })),
  )
  await db.deleteFrom('price_alert').execute()
  await db
    .insertInto('price_alert')
    .values(
      series.map((one) => ({
        ...one,
        kind: 'dearer',
        shown: 1300,
        usual: 1000,
        overall: 0.05,
        last_day: today,
      })),
    )
    .execute()
  const ask = async (query: string) =>
    getPriceAlerts.response.parse((await reader.get(`/api/statistics/alerts?${query}`)).body)
  const ordered = series.toSorted((a, b) => b.log_change - a.log_change)
  const all = await ask('limit=200')
  expect(all.total).toBe(series.length)
  expect(all.data.map(({ product, market }) => [product.id, market.id])).toEqual(
    ordered.map(({ product_id, market_id }) => [product_id, market_id]),
  )
  expect(all.data[0]?.change).toBeCloseTo(Math.expm1(ordered[0]?.log_change ?? 0))
  const { alerts } = dashboard.parse((await reader.get('/api/statistics/dashboard')).body)
  expect(alerts).toEqual({ total: all.total, data: all.data.slice(0, 3) })
  const inOne = await ask(`marketId=${marketIds[0]}&limit=1`)
  expect(inOne).toMatchObject({ total: productIds.length, data: [{ market: { id: marketIds[0] } }] })
  await db.deleteFrom('price_alert').execute()
})
