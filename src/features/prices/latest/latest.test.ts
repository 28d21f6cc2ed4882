import { expect, test } from 'vitest'
import { insertMarket, insertPrice, insertProduct } from '../../../../tests/support/catalogue.ts'
import { testServer } from '../../../../tests/support/server.ts'
import { openReview } from '../doubt/doubt.sql.ts'

const server = await testServer()
const { db } = server
const collector = await server.as('collector')
const latestOf = async (id: number) => collector.get(`/api/products/${id}/latest-prices`)

test('each market gives the last price of the product, the most recent first', async () => {
  const product_id = await insertProduct(db)
  const gambela = await insertMarket(db, { name: 'Gambela' })
  const kenya = await insertMarket(db, { name: 'Kenya' })
  const silent = await insertMarket(db)
  await insertPrice(db, { product_id, market_id: gambela, day: '2026-03-01', price_value: 900 })
  await insertPrice(db, { product_id, market_id: kenya, day: '2026-04-01', price_value: 3, currency: 'USD' })
  await insertPrice(db, { product_id, market_id: gambela, day: '2026-03-02', price_value: 1000 })
  await insertPrice(db, { product_id, market_id: gambela, day: '2026-02-01', price_value: 800 })
  await insertPrice(db, { market_id: silent, day: '2026-05-01' })

  const { status, body } = await latestOf(product_id)
  expect({ status, body }).toMatchObject({
    status: 200,
    body: {
      total: 2,
      data: [
        { market: { id: kenya, name: 'Kenya' }, priceValue: 3, currency: 'USD', observedOn: '2026-04-01' },
        { market: { id: gambela, location: 'Kinshasa' }, priceValue: 1000, currency: 'CDF' },
      ],
    },
  })
})

test('of two prices of one day, the one collected later is the last', async () => {
  const product_id = await insertProduct(db)
  const market_id = await insertMarket(db)
  const at = (hour: string) => ({ day: '2026-03-01', at: `2026-03-01T${hour}:00Z` })
  await insertPrice(db, { product_id, market_id, price_value: 1200, ...at('15:00') })
  await insertPrice(db, { product_id, market_id, price_value: 1100, ...at('09:00') })
  expect((await latestOf(product_id)).body).toMatchObject({
    total: 1,
    data: [{ priceValue: 1200, collectedAt: '2026-03-01T15:00:00.000Z' }],
  })
})

test('no more than 200 markets are listed, and all are counted', async () => {
  const product_id = await insertProduct(db)
  const markets = await db
    .insertInto('market')
    .values(Array.from({ length: 203 }, (_, i) => ({ name: `Étal ${i}`, location: 'Goma' })))
    .returning('id')
    .execute()
  await db
    .insertInto('price')
    .values(
      markets.map(({ id }, i) => ({
        product_id,
        market_id: id,
        price_value: 1 + i,
        collector_name: 'Collecteur',
        collected_at: '2026-01-01T12:00:00Z',
        observed_on: '2026-01-01',
      })),
    )
    .execute()
  const { body } = await latestOf(product_id)
  expect(body).toMatchObject({ total: 203, data: { length: 200 } })
  const last = markets.at(-1)?.id
  const marketsOf = (given: unknown) =>
    Object(given).data.map((price: { market: { id: number } }) => price.market.id)
  expect(marketsOf(body)).not.toContain(last)
  const own = await collector.get(`/api/products/${product_id}/latest-prices?marketId=${last}`)
  expect(own.body).toMatchObject({ total: 203, data: { length: 200 } })
  expect(marketsOf(own.body)).toContain(last)
})

test('a market whose only prices are under review is neither listed nor counted, and does not end the reading', async () => {
  const product_id = await insertProduct(db)
  const doubtful = async (market_id: number, day: string) =>
    openReview(db, await insertPrice(db, { product_id, market_id, day }), {
      reasons: ['outlier'],
      evidence: {},
    })
  const [first = 0, unsettled = 0, partly = 0, last = 0] = [
    await insertMarket(db),
    await insertMarket(db),
    await insertMarket(db),
    await insertMarket(db),
  ]
  await insertPrice(db, { product_id, market_id: first, day: '2026-03-03' })
  await doubtful(unsettled, '2026-03-08')
  await doubtful(unsettled, '2026-03-09')
  await insertPrice(db, { product_id, market_id: partly, day: '2026-03-01' })
  await doubtful(partly, '2026-03-07')
  await insertPrice(db, { product_id, market_id: last, day: '2026-03-02' })

  const shown = ({ data }: { data: { market: { id: number } }[] }) => data.map(({ market }) => market.id)
  const whole = Object((await latestOf(product_id)).body)
  expect([shown(whole), whole.total]).toEqual([[first, last, partly], 3])
  const read = async (cursor: string) =>
    Object((await collector.get(`/api/products/${product_id}/latest-prices?limit=1&cursor=${cursor}`)).body)
  for (const [cursor, market, hasMore] of [
    ['start', first, true],
    [`id-${first}`, partly, true],
    [`id-${partly}`, last, false],
  ]) {
    const page = await read(String(cursor))
    expect([shown(page), page.hasMore]).toEqual([[market], hasMore])
  }
  // The first of the list is the most recent of those listed.
  const newest = Object((await collector.get(`/api/products/${product_id}/latest-prices?limit=2`)).body)
  expect([shown(newest), newest.total]).toEqual([[first, last], 3])
})

test('a product without prices has none, one that does not exist is not found', async () => {
  expect(await latestOf(await insertProduct(db))).toMatchObject({
    status: 200,
    body: { data: [], total: 0 },
  })
  expect((await latestOf(2_147_483_000)).status).toBe(404)
  expect((await latestOf(999_999_999_999_999)).status).toBe(404)
})
