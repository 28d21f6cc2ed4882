import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { type PriceSummary, priceSummary } from '#features/prices/summary/summary.contract.ts'
import { insertMarket, insertProduct, insertType } from '../../../../tests/support/catalogue.ts'
import { insertQuotes, type Place, type Quote } from '../../../../tests/support/random-prices.ts'
import { setRate } from '../../../../tests/support/rates.ts'
import { testServer } from '../../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const reader = await server.as('manager')

const products = await Promise.all(
  ['Riz', 'Maïs', 'Huile'].map((name) => named(name, insertProduct(db, { name }))),
)
const places: (Place & { name: string })[] = await Promise.all(
  (['Africa/Kinshasa', 'Africa/Lubumbashi', 'Africa/Kinshasa'] as const).map(async (timeZone, i) => {
    const name = ['Zando', 'Kenya', 'Gambela'][i] ?? ''
    return { id: await insertMarket(db, { name, time_zone: timeZone }), name, timeZone }
  }),
)
const [productId = 0, otherProduct = 0] = products.map(({ id }) => id)
const [marketId = 0, eastern = 0] = places.map(({ id }) => id)

async function named(name: string, id: Promise<number>) {
  return { id: await id, name }
}

type Query = Partial<Record<'productId' | 'marketId' | 'startDate' | 'endDate', string | number>>
type Rates = Record<string, number>

async function summarise(query: Query = {}): Promise<PriceSummary> {
  const texts = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
  const answer = await reader.get(`/api/prices/analytics/summary?${new URLSearchParams(texts)}`)
  expect(answer.status, answer.text).toBe(200)
  return priceSummary.strict().parse(answer.body)
}

async function setRates(rates: Rates): Promise<void> {
  for (const [day, cdfPerUsd] of Object.entries(rates)) await setRate(db, { day, cdfPerUsd })
}

beforeEach(async () => {
  await sql`delete from price`.execute(db)
  await sql`delete from exchange_rate`.execute(db)
})

const quote = (day: string, priceValue: number, more: Partial<Quote> = {}): Quote => ({
  ...{ productId, marketId, priceValue, currency: 'CDF', collectorName: 'Amina', lane: 0 },
  collectedAt: new Date(`${day}T12:00:00Z`),
  ...more,
})
const dollars = (day: string, priceValue: number, more: Partial<Quote> = {}) =>
  quote(day, priceValue, { currency: 'USD', ...more })

describe('the summary of prices', () => {
  test('of nothing has no figure, and says so', async () => {
    await insertQuotes(db, [quote('2026-01-01', 5)], places)
    for (const query of [
      { endDate: '2025-12-31' },
      { productId: otherProduct },
      { marketId: 999_999_999_999 },
    ]) {
      expect(await summarise(query)).toEqual({
        currency: 'CDF',
        totalPrices: 0,
        excluded: 0,
        averagePrice: null,
        minPrice: null,
        maxPrice: null,
        atOldRate: 0,
        priceTrend: null,
        inflation: null,
        change: null,
        index: [],
        matchedSeries: 0,
        isTooLarge: false,
        knownSeries: 0,
        silentMarkets: 0,
        lastCollectedAt: null,
        currencyDistribution: [],
        marketDistribution: [],
        productDistribution: [],
        dailyPrices: [],
      })
    }
  })

  test('converts dollars at the rate of the day, else at the last known before; excludes those older than any rate', async () => {
    await setRates({ '2026-01-02': 2000, '2026-01-05': 2500 })
    const sent = [
      dollars('2026-01-01', 7),
      dollars('2026-01-02', 1),
      dollars('2026-01-04', 2.5),
      dollars('2026-01-05', 1),
      quote('2026-01-01', 1000),
    ]
    await insertQuotes(db, sent, places)
    for (const query of [{}, { productId }, { marketId }, { productId, marketId }]) {
      expect(await summarise(query)).toMatchObject({
        totalPrices: 4,
        excluded: 1,
        averagePrice: (2000 + 5000 + 2500 + 1000) / 4,
        minPrice: 1000,
        maxPrice: 5000,
        currencyDistribution: [
          { currency: 'CDF', count: 1 },
          { currency: 'USD', count: 3 },
        ],
        productDistribution: [{ id: productId, name: 'Riz', count: 4 }],
        marketDistribution: [{ id: marketId, name: 'Zando', count: 4 }],
        dailyPrices: [
          { date: '2026-01-01', count: 1, averagePrice: 1000 },
          { date: '2026-01-02', count: 1, averagePrice: 2000 },
          { date: '2026-01-04', count: 1, averagePrice: 5000 },
          { date: '2026-01-05', count: 1, averagePrice: 2500 },
        ],
      })
    }
  })

  test('of several products takes goods only; of one, whatever it is', async () => {
    const wages = await insertProduct(db, { type_id: await insertType(db, { kind: 'wage' }) })
    await insertQuotes(
      db,
      [
        quote('2026-01-05', 1000),
        quote('2026-01-06', 3000),
        { ...quote('2026-01-06', 9000), productId: wages },
      ],
      places,
    )
    expect(await summarise()).toMatchObject({
      totalPrices: 2,
      averagePrice: 2000,
      maxPrice: 3000,
      knownSeries: 1,
    })
    expect(await summarise({ marketId })).toMatchObject({ totalPrices: 2 })
    expect(await summarise({ productId: wages })).toMatchObject({ totalPrices: 1, averagePrice: 9000 })
    await sql`update product_type set kind = 'good' where kind <> 'good'`.execute(db)
  })

  test('follows a corrected rate at once, in every figure', async () => {
    await setRates({ '2026-01-01': 2000 })
    await insertQuotes(db, [quote('2026-01-01', 2000), dollars('2026-01-20', 1)], places)
    expect(await summarise()).toMatchObject({ averagePrice: 2000, change: { value: 0 } })
    await setRates({ '2026-01-15': 3000 })
    const summary = await summarise()
    expect(summary).toMatchObject({ averagePrice: 2500, maxPrice: 3000 })
    expect(summary.change?.value).toBeCloseTo(0.5, 9)
  })

  test('forgets what it knew of the series at every write that moves them, and remembers it otherwise', async () => {
    const period = { startDate: '2026-01-01', endDate: '2026-01-09' }
    await setRates({ '2025-12-01': 2000 })
    const sent = [
      quote('2026-01-01', 100),
      quote('2026-01-09', 121),
      quote('2026-01-09', 400, { productId: otherProduct }),
      // A second series that does not move.
      quote('2026-01-01', 5, { marketId: eastern }),
      quote('2026-01-09', 5, { marketId: eastern }),
    ]
    const [, late = 0, other = 0] = await insertQuotes(db, sent, places)
    const told = async () => (await summarise(period)).change?.value
    expect(await told()).toBeCloseTo(0.1, 9)
    expect(await told()).toBeCloseTo(0.1, 9)
    // Two prices change their products: no sum of any day changes.
    await db.transaction().execute(async (tx) => {
      await tx.updateTable('price').set({ product_id: otherProduct }).where('id', '=', late).execute()
      await tx.updateTable('price').set({ product_id: productId }).where('id', '=', other).execute()
    })
    expect(await told()).toBeCloseTo(1, 9)
    await db.updateTable('price').set({ currency: 'USD' }).where('id', '=', other).execute()
    expect(await told()).toBeCloseTo(Math.sqrt(8000) - 1, 6)
    await setRates({ '2026-01-05': 2500 })
    expect(await told()).toBeCloseTo(Math.sqrt(10_000) - 1, 6)
    await db.deleteFrom('exchange_rate').where('day', '=', '2026-01-05').execute()
    expect(await told()).toBeCloseTo(Math.sqrt(8000) - 1, 6)
    await db.deleteFrom('price').where('id', '=', other).execute()
    expect(await told()).toBeCloseTo(0, 9)
  })

  test('calls products and markets by the names that they bear now', async () => {
    await insertQuotes(db, [quote('2026-01-01', 100), quote('2026-01-09', 121)], places)
    await summarise()
    await db.updateTable('product').set({ name: 'Riz long' }).where('id', '=', productId).execute()
    expect((await summarise()).productDistribution).toEqual([{ id: productId, name: 'Riz long', count: 2 }])
    await db.updateTable('product').set({ name: 'Riz' }).where('id', '=', productId).execute()
  })

  test('measures the change on the series quoted in two weeks, whatever else was collected', async () => {
    const sent = [
      quote('2026-01-01', 100),
      quote('2026-01-09', 121),
      quote('2026-01-01', 50, { marketId: eastern }),
      quote('2026-01-09', 50, { marketId: eastern }),
      // In one week only: they never move the index.
      quote('2026-01-09', 1_000_000, { productId: otherProduct }),
      quote('2026-01-05', 9, { productId: otherProduct, marketId: eastern }),
    ]
    await insertQuotes(db, sent, places)
    const summary = await summarise()
    expect(summary.change?.value).toBeCloseTo(0.1, 9)
    expect(summary).toMatchObject({
      matchedSeries: 2,
      knownSeries: 4,
      // Of one product, however many its markets: no margin, hence no trend, and no inflation.
      change: { margin: null, from: '2025-12-29', to: '2026-01-05', series: 2, products: 1, isThin: true },
      priceTrend: null,
      inflation: null,
      index: [
        { week: '2025-12-29', value: 100 },
        { week: '2026-01-05', value: expect.closeTo(110, 9) },
      ],
    })
  })

  test('calls the change of three products an inflation, with a trend where its margin excludes zero', async () => {
    const third = products[2]?.id ?? 0
    const rising = [productId, otherProduct, third].flatMap((id, i) => [
      quote('2026-01-01', 100, { productId: id }),
      quote('2026-01-09', 120 + i, { productId: id }),
    ])
    await insertQuotes(db, rising, places)
    const summary = await summarise()
    expect(summary.inflation).toBeCloseTo((1.2 * 1.21 * 1.22) ** (1 / 3) - 1, 9)
    expect(summary).toMatchObject({ priceTrend: 'up', change: { products: 3, isThin: true } })
    expect(summary.change?.margin).toBeGreaterThan(0)
  })

  test('shows a rise of exactly 20 % in a year as 20 %', async () => {
    const third = products[2]?.id ?? 0
    const weekly = [productId, otherProduct, third].flatMap((id) =>
      Array.from({ length: 60 }, (_, week) => {
        const day = new Date(Date.UTC(2025, 0, 6 + 7 * week)).toISOString().slice(0, 10)
        return quote(day, Math.round(1e7 * 1.2 ** (week / 52)) / 100, { productId: id })
      }),
    )
    await insertQuotes(db, weekly, places)
    const summary = await summarise({ startDate: '2025-02-24', endDate: '2026-02-23' })
    expect(summary.change).toMatchObject({ from: '2025-02-24', to: '2026-02-23' })
    expect(summary.inflation).toBeCloseTo(0.2, 4)
    expect(summary.index).toHaveLength(53)
    const allOfIt = await summarise({})
    expect(allOfIt.change).toMatchObject({ from: '2025-01-06', to: '2026-02-23' })
    expect(allOfIt.change?.value).toBeCloseTo(1.2 ** (59 / 52) - 1, 4)
  })

  test('compares the last days of one series with those that end a period earlier', async () => {
    const sent = [
      quote('2026-01-02', 100),
      quote('2026-01-05', 110),
      quote('2026-01-30', 130),
      quote('2026-02-03', 121),
      quote('2026-02-04', 121),
    ]
    await insertQuotes(db, sent, places)
    const series = { productId, marketId }
    const month = await summarise({ ...series, startDate: '2026-01-06', endDate: '2026-02-04' })
    expect(month.change).toMatchObject({ from: '2026-01-05', to: '2026-02-04', series: 1, isThin: true })
    expect(month.change?.value).toBeCloseTo((130 * 121 * 121) ** (1 / 3) / Math.sqrt(110 * 100) - 1, 9)
    expect(month).toMatchObject({ inflation: null })
    // Of all its prices: the first fifteen days and the last fifteen.
    expect((await summarise(series)).change).toMatchObject({ from: '2026-01-16', to: '2026-02-04' })
    expect((await summarise({ ...series, startDate: '2026-01-29', endDate: '2026-02-04' })).change).toBeNull()
    const oneDay = await summarise({ ...series, startDate: '2026-02-04' })
    expect(oneDay).toMatchObject({ change: null, priceTrend: null })
  })

  test('follows every filter of the list', async () => {
    await setRates({ '2025-12-01': 2000 })
    const sent = [
      quote('2026-01-01', 100, { collectorName: 'Amina' }),
      quote('2026-01-02', 300, { collectorName: 'Bosco' }),
      dollars('2026-01-02', 1, { productId: otherProduct, marketId: eastern }),
    ]
    await insertQuotes(db, sent, places)
    const figures = async (query: Record<string, string>) => {
      const { totalPrices, averagePrice, productDistribution } = await summarise(query)
      const list = await reader.get(`/api/prices?${new URLSearchParams(query)}`)
      expect(list.body).toMatchObject({ pagination: { total: totalPrices } })
      expect(productDistribution.reduce((sum, { count }) => sum + count, 0)).toBe(totalPrices)
      return [totalPrices, averagePrice]
    }
    expect(await figures({ search: 'riz' })).toEqual([2, 200])
    expect(await figures({ search: 'zando riz' })).toEqual([2, 200])
    expect(await figures({ search: 'kenya' })).toEqual([1, 2000])
    expect(await figures({ currency: 'USD' })).toEqual([1, 2000])
    expect(await figures({ minPrice: '200' })).toEqual([1, 300])
    expect(await figures({ maxPrice: '200', productId: `${productId}` })).toEqual([1, 100])
    expect(await figures({ collectorName: 'bosco' })).toEqual([1, 300])
    expect(await figures({ search: 'inconnu' })).toEqual([0, null])
  })

  test('counts the markets that have been silent for 14 days, and the prices converted at an old rate', async () => {
    await setRates({ '2025-12-20': 2000 })
    const sent = [
      quote('2026-01-01', 100, { marketId: eastern }),
      dollars('2026-01-02', 1),
      quote('2026-01-20', 100),
    ]
    await insertQuotes(db, sent, places)
    expect(await summarise()).toMatchObject({ silentMarkets: 1, atOldRate: 1 })
    expect(await summarise({ endDate: '2026-01-14' })).toMatchObject({ silentMarkets: 0 })
    expect(await summarise({ marketId })).toMatchObject({ silentMarkets: 0 })
  })

  test('gives the 50 largest products and markets, largest first', async () => {
    const many: number[] = []
    for (let i = 0; i < 52; i++) many.push(await insertProduct(db, { name: `Produit n° ${i}` }))
    const sent = many.flatMap((id, i) =>
      Array.from({ length: i < 2 ? 1 : 3 }, () => quote('2026-01-01', 1, { productId: id })),
    )
    await insertQuotes(db, [...sent, quote('2026-01-01', 1, { productId: many[7] ?? 0 })], places)
    for (const query of [{}, { marketId }]) {
      const { productDistribution } = await summarise(query)
      expect(productDistribution).toHaveLength(50)
      expect(productDistribution.map(({ count }) => count)).toEqual([4, ...Array<number>(49).fill(3)])
      expect(productDistribution[0]).toEqual({ id: many[7], name: 'Produit n° 7', count: 4 })
      expect(productDistribution[1]?.id).toBe(many[2])
    }
    await sql`delete from price`.execute(db)
    await db.deleteFrom('product').where('id', 'in', many).execute()
  })

  test('tells when the last price was collected, though another zone be a day ahead', async () => {
    const sent = [
      // The next day in Lubumbashi already, yet earlier than half past eleven in Kinshasa.
      quote('2026-01-01', 1, { marketId: eastern, collectedAt: new Date('2026-01-01T22:05:00Z') }),
      quote('2026-01-01', 1, { collectedAt: new Date('2026-01-01T22:30:00Z') }),
    ]
    await insertQuotes(db, sent, places)
    const last = async (query: Query) => (await summarise(query)).lastCollectedAt
    expect(await last({})).toBe('2026-01-01T22:30:00.000Z')
    expect(await last({ startDate: '2026-01-02' })).toBe('2026-01-01T22:05:00.000Z')
    expect(await last({ marketId: eastern })).toBe('2026-01-01T22:05:00.000Z')
  })

  test('tells when the last price was collected once it is corrected, then deleted', async () => {
    const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour))
    const sent = [
      quote('2026-01-01', 1, { collectedAt: at(8) }),
      quote('2026-01-01', 1, { collectedAt: at(12) }),
    ]
    const [, later = 0] = await insertQuotes(db, sent, places)
    const last = async () => (await summarise()).lastCollectedAt
    expect(await last()).toBe(at(12).toISOString())
    await db
      .updateTable('price')
      .set({ collected_at: at(10) })
      .where('id', '=', later)
      .execute()
    expect(await last()).toBe(at(10).toISOString())
    await db.deleteFrom('price').where('id', '=', later).execute()
    expect(await last()).toBe(at(8).toISOString())
  })

  test('keeps the last 5 000 days of a longer history', async () => {
    await sql`insert into price (product_id, market_id, price_value, collector_name, collected_at, observed_on)
      select ${productId}, ${marketId}, 1, 'Amina', day + time '12:00', day
        from generate_series(date '2000-01-01', date '2000-01-01' + 5001, interval '1 day') series (instant)
       cross join lateral (select instant::date as day) d`.execute(db)
    const { dailyPrices, totalPrices } = await summarise()
    expect(totalPrices).toBe(5002)
    expect(dailyPrices).toHaveLength(5000)
    expect(dailyPrices[0]?.date).toBe('2000-01-03')
    expect(dailyPrices.at(-1)?.date).toBe('2013-09-10')
  })

  test.each([
    ['endDate', 'startDate=2026-01-02&endDate=2026-01-01', 'La date de fin précède la date de début'],
    ['startDate', 'startDate=hier', 'Date attendue (aaaa-mm-jj)'],
    ['productId', 'productId=1.5', 'Identifiant invalide'],
  ])('refuses a wrong %s: %s', async (field, query, message) => {
    const answer = await reader.get(`/api/prices/analytics/summary?${query}`)
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ field, message }] } })
  })
})
