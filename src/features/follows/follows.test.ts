import { expect, test } from 'vitest'
import { openReview } from '#features/prices/doubt/doubt.sql.ts'
import { addDays, dayInKinshasa } from '#shared/days.ts'
import { insertMarket, insertPrice, insertProduct } from '../../../tests/support/catalogue.ts'
import { type Client, insertAccount, testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const today = dayInKinshasa(new Date())
const ago = (days: number) => addDays(today, -days)

const reader = async () => server.clientOf(await insertAccount(db, { roles: ['user'], ageDays: 1 }))
const listOf = async (client: Client) => (await client.get('/api/follows')).body as { data: unknown[] }

/** Inserts a series with prices, each some days ago. */
async function series(quotes: [days: number, value: number][]) {
  const product_id = await insertProduct(db)
  const market_id = await insertMarket(db)
  for (const [days, price_value] of quotes) {
    await insertPrice(db, { product_id, market_id, day: ago(days), price_value })
  }
  return { productId: product_id, marketId: market_id }
}

const risen: [number, number][] = [
  [36, 1000],
  [34, 1010],
  [32, 990],
  [5, 1500],
  [3, 1510],
  [1, 1490],
]

test('a followed series comes with its last price, the change of its summary and its recent days', async () => {
  const client = await reader()
  const followed = await series(risen)
  const made = await client.post('/api/follows', followed)
  expect(made).toMatchObject({ status: 201, body: followed })
  const { data } = await listOf(client)
  expect(data).toMatchObject([
    { ...followed, lastPrice: 1490, currency: 'CDF', lastDay: ago(1), trend: 'up', points: { length: 6 } },
  ])
  const { body } = await client.get(
    `/api/prices/analytics/summary?productId=${followed.productId}&marketId=${followed.marketId}&startDate=${ago(29)}&endDate=${today}`,
  )
  const { change } = body as { change: { value: number } }
  expect((data[0] as { change: unknown }).change).toEqual({
    ...change,
    value: expect.closeTo(change.value, 9),
    margin: expect.closeTo((change as unknown as { margin: number }).margin, 9),
  })
})

test('a price that waits for review counts in the change as in the summary, is no last price, and leads no list of moves', async () => {
  const client = await reader()
  const followed = await series(risen)
  await client.post('/api/follows', followed)
  const day = ago(0)
  const doubtful = { product_id: followed.productId, market_id: followed.marketId, day, price_value: 90_000 }
  await openReview(db, await insertPrice(db, doubtful), { reasons: ['outlier'], evidence: {} })
  const { body } = await client.get(
    `/api/prices/analytics/summary?productId=${followed.productId}&marketId=${followed.marketId}&startDate=${ago(29)}&endDate=${today}`,
  )
  const { change } = body as { change: { value: number } }
  expect(change.value).toBeGreaterThan(1)
  const { data } = await listOf(client)
  expect(data).toMatchObject([
    { lastPrice: 1490, lastDay: ago(1), change: { value: expect.closeTo(change.value, 9) } },
  ])
  const moved = (await client.get('/api/prices/movers')).body as { data: { product: { id: number } }[] }
  expect(moved.data.map(({ product }) => product.id)).not.toContain(followed.productId)
})

test('a series without recent prices has its last price and no change', async () => {
  const client = await reader()
  const followed = await series([
    [200, 800],
    [199, 810],
  ])
  await client.post('/api/follows', followed)
  const { data } = await listOf(client)
  expect(data).toMatchObject([{ lastPrice: 810, lastDay: ago(199), change: null, trend: null, points: [] }])
})

test('a product is followed in all markets and a market with all its products', async () => {
  const client = await reader()
  const { productId, marketId } = await series(risen)
  expect((await client.post('/api/follows', { productId })).status).toBe(201)
  expect((await client.post('/api/follows', { marketId })).status).toBe(201)
  const { data } = await listOf(client)
  expect(data).toMatchObject([
    { productId, marketId: null, lastPrice: 1490, lastMarket: { id: marketId } },
    { productId: null, marketId, lastPrice: null, lastDay: ago(1), lastMarket: null },
  ])
})

test('a user follows a series once, and only one that exists', async () => {
  const client = await reader()
  const followed = await series([])
  await client.post('/api/follows', followed)
  expect(await client.post('/api/follows', followed)).toMatchObject({
    status: 409,
    body: { code: 'duplicate' },
  })
  expect((await client.post('/api/follows', { productId: 2_147_483_000 })).status).toBe(400)
  expect((await client.post('/api/follows', { productId: 999_999_999_999 })).status).toBe(400)
  expect((await client.post('/api/follows', {})).status).toBe(400)
  expect((await listOf(client)).data).toHaveLength(1)
})

test('a user follows at most 200', async () => {
  const id = await insertAccount(db, { roles: ['user'], ageDays: 1 })
  const client = await server.clientOf(id)
  const product_id = await insertProduct(db)
  const markets = await db
    .insertInto('market')
    .values(Array.from({ length: 201 }, (_, i) => ({ name: `Suivi ${i}`, location: 'Goma' })))
    .returning('id')
    .execute()
  const [last, ...others] = markets
  await db
    .insertInto('follow')
    .values(others.map((each) => ({ user_id: id, product_id, market_id: each.id })))
    .execute()
  const refused = await client.post('/api/follows', { productId: product_id, marketId: last?.id })
  expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } })
})

test('a user who follows a merged product follows its replacement', async () => {
  const client = await reader()
  const [one, other] = [await series(risen), await series([])]
  await client.post('/api/follows', one)
  await client.post('/api/follows', { productId: one.productId })
  await client.post('/api/follows', { productId: other.productId })
  const collector = await server.as('collector')
  expect(
    (await collector.post(`/api/products/${one.productId}/merge`, { intoId: other.productId })).status,
  ).toBe(200)
  const { data } = await listOf(client)
  expect(data).toMatchObject([
    { productId: other.productId, marketId: one.marketId, lastPrice: 1490 },
    { productId: other.productId, marketId: null },
  ])
})

test('the series that moved most do so beyond their margin, and have recent prices', async () => {
  const client = await reader()
  const rise = await series(risen.map(([days, value]) => [days, days > 10 ? value : 2 * value]))
  const fall = await series(risen.map(([days, value]) => [days, 2_000_000 / value]))
  const equal = await series(risen.map(([days]) => [days, days > 10 ? 100 : 900]))
  const old = await series(risen.map(([days, value]) => [days + 5, value * (days > 10 ? 1 : 9)]))
  const { data } = (await client.get('/api/prices/movers')).body as {
    data: { product: { id: number }; change: { value: number } }[]
  }
  const found = new Map(data.map(({ product, change }) => [product.id, change.value]))
  expect(found.get(rise.productId)).toBeCloseTo(2, 2)
  expect(found.get(fall.productId)).toBeCloseTo(-1 / 3, 2)
  expect(found.has(equal.productId)).toBe(false)
  expect(found.has(old.productId)).toBe(false)
})
