import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Round } from '#features/collection/rounds/rounds.contract.ts'
import { isFarFromLast, isOutlier, usualPrices } from '#features/prices/check/check.rules.ts'
import { addDays } from '#shared/days.ts'
import { insertMarket, insertPrice, insertProduct } from '../../../../tests/support/catalogue.ts'
import { daysAgo } from '../../../../tests/support/market-days.ts'
import { testServer } from '../../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const agent = await server.as('agent')
const collector = await server.as('collector')
const today = daysAgo(0)

async function round(marketId: number): Promise<Round> {
  const { status, body } = await agent.get(`/api/collection/rounds/${marketId}`)
  expect(status).toBe(200)
  return body as Round
}

test('a market without a list has a round of the products usually priced there, with last price and usual prices', async () => {
  const market_id = await insertMarket(db, { name: 'Liberté' })
  const product_id = await insertProduct(db, { name: 'Huile' })
  for (const [n, price_value] of [1000, 1010, 990, 1000, 1020].entries()) {
    await insertPrice(db, { product_id, market_id, price_value, day: addDays(today, -2 - 7 * n) })
  }
  await insertPrice(db, { market_id, product_id: await insertProduct(db), day: addDays(today, -3) })
  const { market, goods, serverTime } = await round(market_id)
  expect(market).toMatchObject({ id: market_id, name: 'Liberté', isOwn: false })
  expect(Math.abs(Date.parse(serverTime) - Date.now())).toBeLessThan(86_400_000)
  expect(goods).toMatchObject([
    {
      productId: product_id,
      name: 'Huile',
      quotesWanted: 1,
      absence: null,
      lastPrice: { value: 1000, currency: 'CDF', day: addDays(today, -2) },
      usual: { low: 750, high: 1296 },
    },
  ])
  expect((await agent.get('/api/collection/rounds/2147483000')).status).toBe(404)
})

test('collectors edit the list, which is then the round', async () => {
  const id = await insertMarket(db)
  const [first, second] = [await insertProduct(db, { name: 'A' }), await insertProduct(db, { name: 'B' })]
  const path = `/api/collection/lists/${id}`
  const goods = [{ productId: second, quotesWanted: 3 }, { productId: first }, { productId: first }]
  expect((await collector.put(path, { goods })).status).toBe(200)
  expect((await collector.get(path)).body).toMatchObject({ data: [{}, {}], usual: [] })
  const shown = (await round(id)).goods.map(({ productId, quotesWanted }) => [productId, quotesWanted])
  expect(shown.toSorted()).toEqual(
    [
      [first, 1],
      [second, 3],
    ].toSorted(),
  )
  expect(await collector.put(path, { goods: [{ productId: 2_147_483_000 }] })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'goods' }] },
  })
  expect((await collector.put('/api/collection/lists/2147483000', { goods: [] })).status).toBe(404)
  expect((await agent.put(path, { goods: [] })).status).toBe(403)
  const markets = await agent.get('/api/collection/rounds')
  expect(markets.body).toMatchObject({ data: expect.arrayContaining([expect.objectContaining({ id })]) })
})

test('the response to a list is the list, and one edited since it was read is refused', async () => {
  const id = await insertMarket(db)
  const [first, second] = [await insertProduct(db), await insertProduct(db)]
  const path = `/api/collection/lists/${id}`
  const saved = await collector.put(path, { goods: [{ productId: first, quotesWanted: 2 }], seen: [] })
  const { data, usual } = Object(saved.body)
  expect((await collector.get(path)).body).toEqual({ data, usual })
  expect(data).toMatchObject([{ productId: first, quotesWanted: 2 }])
  const both = [...data, { productId: second }]
  expect(await collector.put(path, { goods: both, seen: [] })).toMatchObject({
    status: 409,
    body: { code: 'stale', message: expect.stringContaining('cette liste') },
  })
  expect((await collector.put(path, { goods: both, seen: [{ productId: first }] })).status).toBe(409)
  expect((await collector.put(path, { goods: both, seen: data })).status).toBe(200)
  expect(Object((await collector.get(path)).body).data).toHaveLength(2)
})

test('a round says when a product was last absent, until it has a price again', async () => {
  const market_id = await insertMarket(db)
  const productId = await insertProduct(db)
  await collector.put(`/api/collection/lists/${market_id}`, { goods: [{ productId }] })
  const entry = { productId, marketId: market_id, deviceAt: new Date().toISOString() }
  const send = (more: object) =>
    agent.post('/api/collection/batches', {
      deviceId: '1',
      entries: [{ id: randomUUID(), ...entry, ...more }],
    })
  await send({ kind: 'absent', reason: 'rupture' })
  expect((await round(market_id)).goods).toMatchObject([
    { lastPrice: null, usual: null, absence: { reason: 'rupture' } },
  ])
  await send({ kind: 'typed', priceValue: 1200, deviceAt: new Date().toISOString() })
  expect((await round(market_id)).goods).toMatchObject([{ lastPrice: { value: 1200 }, absence: null }])
})

test('an agent of a country with many markets has them all', async () => {
  const { rows } = await sql<{ id: number }>`
    insert into market (name, location) select 'Zongo ' || n, 'Zongo' from generate_series(1, 301) n
    returning id`.execute(db)
  const { data } = (await agent.get('/api/collection/rounds')).body as { data: { id: number }[] }
  expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(rows.map(({ id }) => id)))
})

test('usual prices are those accepted by the office form without a question', () => {
  const logsOf = (values: number[]) => values.map(Math.log).toSorted((a, b) => a - b)
  const middle = (sorted: number[]) => {
    const half = (sorted.length - 1) / 2
    return ((sorted[Math.floor(half)] ?? 0) + (sorted[Math.ceil(half)] ?? 0)) / 2
  }
  for (const values of [
    [],
    [900, 1000, 1200],
    [1000, 1010, 990, 1000, 1020],
    [500, 900, 1000, 1300, 4000, 700],
  ]) {
    const logs = logsOf(values)
    const medianLog = values.length ? middle(logs) : null
    const figures = {
      quotes: values.length,
      median: values.length ? middle(values.toSorted((a, b) => a - b)) : null,
      medianLog,
      madLog:
        medianLog === null
          ? null
          : middle(logs.map((log) => Math.abs(log - medianLog)).toSorted((a, b) => a - b)),
    }
    for (const last of [null, 800, 1000]) {
      const usual = usualPrices(figures, last)
      for (let price = 50; price < 9000; price += 7) {
        const isAsked = isOutlier(price, figures) || isFarFromLast(price, last)
        const isOutside = usual !== null && (price < usual.low || price > usual.high)
        // At the exact bounds, the two may differ.
        const isEdge = price === usual?.low || price === usual?.high
        if (!isEdge)
          expect([values.length, last, price, isOutside]).toEqual([values.length, last, price, isAsked])
      }
    }
  }
})
