import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addDays, dayInKinshasa } from '#shared/days.ts'
import { insertMarket, insertProduct } from '../../../tests/support/catalogue.ts'
import { expectRefusal } from '../../../tests/support/price-calls.ts'
import { testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const reader = await server.as('manager')
const products = [await insertProduct(db), await insertProduct(db), await insertProduct(db)]
const markets = [await insertMarket(db), await insertMarket(db)]
const quote = (productId: number, marketId: number, day: string, value: number) =>
  sql`insert into price (product_id, market_id, price_value, collector_name, collected_at, observed_on)
      values (${productId}, ${marketId}, ${value}, 'Amina', ${day}::date + time '10:00', ${day})`.execute(db)
for (const product of products) for (const market of markets) await quote(product, market, '2026-03-02', 1000)
const [product = 0] = products
const [market = 0] = markets
await quote(product, market, '2026-03-04', 4000)
await quote(product, market, '2026-03-17', 8000)

test('all series are listed once, page by page, with their days, quotes and last price', async () => {
  const seen: { productId: number; marketId: number }[] = []
  let next = ''
  for (let hasMore = true; hasMore; ) {
    const { status, body } = await reader.get(`/api/series?limit=4${next}`)
    expect(status).toBe(200)
    seen.push(...Object(body).data)
    next = `&cursor=${Object(body).cursor}`
    hasMore = Object(body).hasMore
  }
  expect(seen.map(({ productId, marketId }) => [marketId, productId])).toEqual(
    markets.flatMap((marketId) => products.map((productId) => [marketId, productId])),
  )
  const [one] = Object((await reader.get(`/api/series?productId=${product}&marketId=${market}`)).body).data
  expect(one).toMatchObject({
    productId: product,
    marketId: market,
    firstDay: '2026-03-02',
    lastDay: '2026-03-17',
    quotes: 3,
    lastPrice: 8000,
    currency: 'CDF',
  })
  expectRefusal(await reader.get('/api/series?cursor=bizarre'), 400, { field: 'cursor' })
})

test('a series has its weekly levels, the index of quoted weeks, and estimates between them', async () => {
  const { status, body } = await reader.get(`/api/series/${product}/${market}`)
  expect(status).toBe(200)
  const common = { isProvisional: false }
  expect(Object(body).weeks).toEqual([
    { week: '2026-03-02', level: 2000, quotes: 2, index: 100, estimated: false, ...common },
    { week: '2026-03-09', level: 4000, quotes: 0, index: null, estimated: true, ...common },
    { week: '2026-03-16', level: 8000, quotes: 1, index: 400, estimated: false, ...common },
  ])
  expect(body).toMatchObject({ quotes: 3, change: null, trend: null })
  expect((await reader.get(`/api/series/${product}/999999`)).status).toBe(404)
})

test('the usual gap of another market is the median of the weeks in which both were quoted, eight at least', async () => {
  const [near, far, rare] = [await insertMarket(db), await insertMarket(db), await insertMarket(db)]
  const [good, here] = [await insertProduct(db), await insertMarket(db)]
  const today = dayInKinshasa(new Date())
  for (let week = 1; week <= 10; week++) {
    const day = addDays(today, -7 * week)
    await quote(good, here, day, 1000 + 10 * week)
    await quote(good, near, day, 1.1 * (1000 + 10 * week))
    if (week <= 8) await quote(good, far, day, 0.5 * (1000 + 10 * week))
    if (week <= 7) await quote(good, rare, day, 2000)
  }
  const { status, body } = await reader.get(`/api/series/${good}/${here}/gaps`)
  expect(status).toBe(200)
  const gaps: { marketId: number; usualGap: number; weeks: number }[] = Object(body).data
  expect(gaps.map(({ marketId, weeks }) => [marketId, weeks])).toEqual([
    [near, 10],
    [far, 8],
  ])
  expect(gaps[0]?.usualGap).toBeCloseTo(0.1, 6)
  expect(gaps[1]?.usualGap).toBeCloseTo(-0.5, 6)
})
