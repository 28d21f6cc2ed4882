import { beforeAll, expect, test } from 'vitest'
import { insertMarket, insertPrice, insertProduct } from '../../../../tests/support/catalogue.ts'
import { testServer } from '../../../../tests/support/server.ts'
import { openReview } from '../doubt/doubt.sql.ts'

const server = await testServer()
const reader = await server.as('manager')

const products = { rice: 0, oil: 0, salt: 0 }
let market = 0

beforeAll(async () => {
  products.rice = await insertProduct(server.db, { name: 'Riz' })
  products.oil = await insertProduct(server.db, { name: 'Huile' })
  products.salt = await insertProduct(server.db, { name: 'Sel' })
  market = await insertMarket(server.db, { name: 'Marché de la Liberté' })
})

const quote = (more: Parameters<typeof insertPrice>[1]) =>
  insertPrice(server.db, { market_id: market, ...more })

async function latest(id: number, query = '') {
  const { status, body } = await reader.get(`/api/markets/${id}/latest-prices?${query}`)
  expect(status).toBe(200)
  return body as {
    data: { product: { name: string }; priceValue: number; previous: unknown }[]
    pagination: object
  }
}

test('a market without prices has no latest price and no collector', async () => {
  const empty = await insertMarket(server.db)
  expect(await latest(empty)).toEqual({ data: [], pagination: { page: 1, limit: 10, total: 0, pages: 0 } })
  expect((await reader.get(`/api/markets/${empty}/collectors`)).body).toMatchObject({ data: [] })
})

test('each product shows its last price of its last day in that market, and the one of the day before', async () => {
  await quote({ product_id: products.rice, day: '2026-02-01', price_value: 2000 })
  await quote({ product_id: products.rice, day: '2026-03-01', at: '2026-03-01T15:00:00Z', price_value: 2200 })
  await quote({ product_id: products.rice, day: '2026-03-01', at: '2026-03-01T09:00:00Z', price_value: 2100 })
  await quote({ product_id: products.oil, day: '2026-02-10', price_value: 5000 })
  const elsewhere = await insertMarket(server.db)
  await insertPrice(server.db, { market_id: elsewhere, product_id: products.rice, day: '2026-04-01' })

  const { data, pagination } = await latest(market)
  expect(data).toMatchObject([
    { product: { name: 'Huile' }, priceValue: 5000, observedOn: '2026-02-10', previous: null },
    {
      product: { name: 'Riz', weight: '1kg' },
      priceValue: 2200,
      observedOn: '2026-03-01',
      previous: { priceValue: 2000, observedOn: '2026-02-01' },
    },
  ])
  expect(pagination).toMatchObject({ total: 2 })
  const newest = await latest(market, 'sort=-observedOn')
  expect(newest.data.map(({ product }) => product.name)).toEqual(['Riz', 'Huile'])
})

test('a price is compared with an earlier one in its own currency only, and needs no rate', async () => {
  await quote({ product_id: products.salt, day: '2025-12-01', price_value: 1.5, currency: 'USD' })
  await quote({ product_id: products.salt, day: '2025-12-02', price_value: 900 })
  await quote({ product_id: products.salt, day: '2026-01-01', price_value: 2, currency: 'USD' })
  const { data } = await latest(market)
  expect(data.at(-1)).toMatchObject({
    product: { name: 'Sel' },
    priceValue: 2,
    currency: 'USD',
    previous: { priceValue: 1.5, currency: 'USD', observedOn: '2025-12-01' },
  })
})

test('pages of latest prices follow each other; one past the end is empty with the exact total', async () => {
  const place = await insertMarket(server.db)
  const names = ['Ananas', 'Banane', 'Citron', 'Éleusine', 'Fretin']
  for (const name of names.toReversed()) {
    await insertPrice(server.db, { market_id: place, product_id: await insertProduct(server.db, { name }) })
  }
  const shown = async (page: number) =>
    (await latest(place, `limit=2&page=${page}`)).data.map(({ product }) => product.name)
  expect([...(await shown(1)), ...(await shown(2)), ...(await shown(3))]).toEqual(names)
  expect(await latest(place, 'limit=2&page=9')).toEqual({
    data: [],
    pagination: { page: 9, limit: 2, total: 5, pages: 3 },
  })
})

test('latest prices are searched for by the name or the code of the product', async () => {
  const place = await insertMarket(server.db)
  const maize = await insertProduct(server.db, { name: 'Maïs jaune', code: 'MJ-01' })
  for (const product_id of [maize, products.rice])
    await insertPrice(server.db, { market_id: place, product_id })
  for (const search of ['mais', 'mj-01', 'MAÏS JAUNE']) {
    expect(await latest(place, `search=${encodeURIComponent(search)}`)).toMatchObject({
      data: [{ product: { id: maize } }],
      pagination: { total: 1 },
    })
  }
  expect((await latest(place, 'search=%25')).data).toEqual([])
})

test('a product whose only prices are under review is neither listed nor counted, and does not end the reading', async () => {
  const place = await insertMarket(server.db)
  const named: Record<string, number> = {}
  for (const name of ['Ananas', 'Banane', 'Citron', 'Datte']) {
    named[name] = await insertProduct(server.db, { name })
  }
  const add = (name: string, day: string) =>
    insertPrice(server.db, { market_id: place, product_id: named[name] ?? 0, day })
  const doubtful = async (name: string, day: string) =>
    openReview(server.db, await add(name, day), { reasons: ['outlier'], evidence: {} })
  await add('Ananas', '2026-03-03')
  await doubtful('Banane', '2026-03-08')
  await add('Citron', '2026-03-01')
  await doubtful('Citron', '2026-03-07')
  await add('Datte', '2026-03-02')

  const shown = async (query: string) => {
    const answer = await latest(place, query)
    return { ...answer, data: answer.data.map(({ product }) => product.name) }
  }
  expect(await shown('limit=2')).toMatchObject({
    data: ['Ananas', 'Citron'],
    pagination: { total: 3, pages: 2 },
  })
  expect(await shown('limit=2&page=2')).toMatchObject({ data: ['Datte'] })
  expect(await shown('sort=-observedOn')).toMatchObject({ data: ['Ananas', 'Datte', 'Citron'] })
  expect(await shown('cursor=start&limit=1')).toMatchObject({ data: ['Ananas'], hasMore: true })
  const second = `id-${named.Ananas}`
  expect(await shown(`cursor=${second}&limit=1`)).toMatchObject({ data: ['Citron'], hasMore: true })
  expect(await shown(`cursor=${second}&limit=2`)).toMatchObject({
    data: ['Citron', 'Datte'],
    hasMore: false,
  })
})

test('the collectors of a market are counted on the days asked for, the most active first', async () => {
  const place = await insertMarket(server.db)
  const collect = (collector_name: string, day: string) =>
    insertPrice(server.db, { market_id: place, product_id: products.rice, day, collector_name })
  await collect('Aline', '2026-01-01')
  await collect('Bosco', '2026-01-02')
  await collect('Bosco', '2026-02-02')
  await collect('Chantal', '2026-02-03')
  const collectors = async (query: string) =>
    (await reader.get(`/api/markets/${place}/collectors?${query}`)).body
  expect(await collectors('')).toEqual({
    data: [
      { name: 'Bosco', count: 2, lastCollectedAt: '2026-02-02T12:00:00.000Z' },
      { name: 'Chantal', count: 1, lastCollectedAt: '2026-02-03T12:00:00.000Z' },
      { name: 'Aline', count: 1, lastCollectedAt: '2026-01-01T12:00:00.000Z' },
    ],
    pagination: { page: 1, limit: 10, total: 3, pages: 1 },
  })
  expect(await collectors('endDate=2026-01-02&sort=name&limit=1')).toMatchObject({
    data: [{ name: 'Aline', count: 1 }],
    pagination: { total: 2 },
  })
})

test.each(['latest-prices', 'collectors'])('%s of an unknown market answer 404', async (what) => {
  for (const id of ['2147483000', '999999999999999']) {
    expect(await reader.get(`/api/markets/${id}/${what}`)).toMatchObject({
      status: 404,
      body: { message: expect.stringContaining('Marché introuvable') },
    })
  }
  expect((await reader.get(`/api/markets/un/${what}`)).status).toBe(400)
  expect((await reader.get(`/api/markets/1/${what}?limit=201`)).status).toBe(400)
})

test('a period that ends before it starts is refused', async () => {
  const answer = await reader.get(`/api/markets/${market}/collectors?startDate=2026-02-01&endDate=2026-01-01`)
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ field: 'endDate' }] } })
})
