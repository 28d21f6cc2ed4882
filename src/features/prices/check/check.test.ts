import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import type { checkPrice } from '#features/prices/check/check.contract.ts'
import type { AnswerOf } from '#shared/contract.ts'
import { insertMarket, insertPrice, insertProduct } from '../../../../tests/support/catalogue.ts'
import { testServer } from '../../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const agent = await server.as('agent')
await sql`insert into exchange_rate (day, cdf_per_usd) values ('2026-03-01', 2000)`.execute(db)

type Query = Record<string, string | number>
type Series = { product_id: number; market_id: number }

const newSeries = async (time_zone = 'Africa/Kinshasa'): Promise<Series> => ({
  product_id: await insertProduct(db),
  market_id: await insertMarket(db, { time_zone }),
})

async function ask({ product_id, market_id }: Series, query: Query) {
  const all = { productId: product_id, marketId: market_id, collectedAt: '2026-06-30', ...query }
  const texts = Object.entries(all).map(([name, value]): [string, string] => [name, String(value)])
  return agent.get(`/api/prices/check?${new URLSearchParams(texts)}`)
}

async function check(series: Series, query: Query): Promise<AnswerOf<typeof checkPrice>> {
  const { status, body } = await ask(series, query)
  expect(status).toBe(200)
  return body as AnswerOf<typeof checkPrice>
}

describe('a price before it is written', async () => {
  const series = await newSeries()
  const days = ['2026-06-01', '2026-06-08', '2026-06-15', '2026-06-22', '2026-06-29']
  for (const [index, day] of days.entries()) {
    await insertPrice(db, { ...series, day, price_value: 900 + 50 * index })
  }

  test('is compared with the quotes of its series', async () => {
    expect(await check(series, { priceValue: 1040 })).toEqual({
      isOutlier: false,
      median: 1000,
      quotes: 5,
      lastPrice: { value: 1100, currency: 'CDF', day: '2026-06-29' },
      duplicate: null,
    })
    expect(await check(series, { priceValue: 10_400 })).toMatchObject({ isOutlier: true, median: 1000 })
    expect(await check(series, { priceValue: 104 })).toMatchObject({ isOutlier: true })
  })

  test('in dollars is compared at the rate of its day, and not at all without a rate', async () => {
    expect(await check(series, { priceValue: 0.5, currency: 'USD' })).toMatchObject({ isOutlier: false })
    expect(await check(series, { priceValue: 5, currency: 'USD' })).toMatchObject({ isOutlier: true })
    const early = await newSeries()
    for (const day of ['2026-02-01', '2026-02-02', '2026-02-03']) await insertPrice(db, { ...early, day })
    await insertPrice(db, { ...early, day: '2026-02-03', price_value: 1, currency: 'USD' })
    expect(await check(early, { priceValue: 500, currency: 'USD', collectedAt: '2026-02-04' })).toMatchObject(
      {
        isOutlier: false,
        median: 1000,
        quotes: 3,
      },
    )
  })

  test('finds quotes in the 90 days up to its own, including those in dollars', async () => {
    const dated = await newSeries()
    for (const day of ['2026-04-01', '2026-04-02', '2026-06-30', '2026-07-01']) {
      await insertPrice(db, { ...dated, day })
    }
    await insertPrice(db, { ...dated, day: '2026-06-20', price_value: 2, currency: 'USD' })
    expect(await check(dated, { priceValue: 1000 })).toMatchObject({
      quotes: 3,
      median: 1000,
      lastPrice: { day: '2026-07-01' },
    })
    expect(await check(dated, { priceValue: 3001 })).toMatchObject({ isOutlier: true })
  })

  test('asks for confirmation at five times the last price, however few quotes the series has', async () => {
    const single = await newSeries()
    await insertPrice(db, { ...single, day: '2025-01-10', price_value: 58_000 })
    expect(await check(single, { priceValue: 58 })).toMatchObject({ isOutlier: true, median: null })
    expect(await check(single, { priceValue: 290_000 })).toMatchObject({ isOutlier: true })
    for (const usual of [11_601, 58_000, 289_999]) {
      expect(await check(single, { priceValue: usual })).toMatchObject({ isOutlier: false })
    }
  })

  test('of a series without prices is compared with nothing', async () => {
    expect(await check(await newSeries(), { priceValue: 1000 })).toEqual({
      isOutlier: false,
      median: null,
      quotes: 0,
      lastPrice: null,
      duplicate: null,
    })
    expect(await check({ ...series, product_id: 2_147_483_000 }, { priceValue: 1 })).toMatchObject({
      quotes: 0,
    })
  })

  test('is a duplicate of the same amount on the same local day by the same collector', async () => {
    const east = await newSeries('Africa/Lubumbashi')
    const id = await insertPrice(db, { ...east, day: '2026-05-02', at: '2026-05-01T22:30:00Z' })
    const same = { priceValue: 1000, collectorName: 'collecteur', collectedAt: '2026-05-02T20:00:00Z' }
    const { duplicate } = await check(east, same)
    expect(duplicate).toEqual({
      id,
      collectedAt: '2026-05-01T22:30:00.000Z',
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    const others: Query[] = [
      { priceValue: 1001 },
      { priceValue: '' },
      { currency: 'USD' },
      { collectorName: 'Amina' },
      { collectorName: '' },
      { collectedAt: '2026-05-01' },
      { exceptId: id },
    ]
    for (const other of others) {
      expect(await check(east, { ...same, ...other })).toMatchObject({ duplicate: null })
    }
  })

  test('under correction is not compared with itself', async () => {
    const few = await newSeries()
    const ids: number[] = []
    for (const price_value of [1000, 1000, 1000, 9000]) {
      ids.push(await insertPrice(db, { ...few, day: '2026-06-10', price_value }))
    }
    expect(await check(few, { priceValue: 9000, exceptId: ids[3] ?? 0 })).toMatchObject({
      quotes: 3,
      isOutlier: true,
      lastPrice: { value: 1000 },
    })
  })

  test('with a wrong value is refused under its field', async () => {
    const refusals = [
      [{ priceValue: 0 }, 'priceValue'],
      [{ productId: 'x' }, 'productId'],
      [{ collectedAt: 'hier' }, 'collectedAt'],
      [{ marketId: 2_147_483_000 }, 'marketId'],
    ] as const
    for (const [query, field] of refusals) {
      const { status, body } = await ask(series, { priceValue: 1000, ...query })
      expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ field }] } })
    }
  })
})
