import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { countMonths } from '#features/figures/months/months.jobs.ts'
import { type PriceSummary, priceSummary } from '#features/figures/summary/summary.contract.ts'
import { dayMs } from '#shared/days.ts'
import { groupBy } from '#shared/group-by.ts'
import {
  insertCategory,
  insertMarket,
  insertProduct,
  insertType,
} from '../../../../tests/support/catalogue.ts'
import { plainIndex, plainTrend, studentOf } from '../../../../tests/support/plain-index.ts'
import {
  insertQuotes,
  localDay,
  type Place,
  type Quote,
  quotes,
  zoneOf,
} from '../../../../tests/support/random-prices.ts'
import { setRate } from '../../../../tests/support/rates.ts'
import { testServer } from '../../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const reader = await server.as('manager')

const [cereals, oils] = [await insertCategory(db), await insertCategory(db)]
const typeOf = (category_id: number) => insertType(db, { category_id })
const products = [
  { id: await insertProduct(db, { type_id: await typeOf(cereals) }), categoryId: cereals },
  { id: await insertProduct(db, { type_id: await typeOf(cereals) }), categoryId: cereals },
  { id: await insertProduct(db, { type_id: await typeOf(oils) }), categoryId: oils },
]
const productIds = products.map(({ id }) => id)
const towns = [
  { location: 'Mbandaka', province: 'Équateur', timeZone: 'Africa/Kinshasa' },
  { location: 'Kindu', province: 'Maniema', timeZone: 'Africa/Lubumbashi' },
] as const
const places: (Place & { location: string; province: string })[] = await Promise.all(
  towns.map(async ({ timeZone, ...town }) => ({
    id: await insertMarket(db, { ...town, time_zone: timeZone }),
    timeZone,
    ...town,
  })),
)
const marketIds = places.map(({ id }) => id)

// From a Thursday, so that weeks begin and end inside the period.
const firstDay = '2026-01-01'
const days = 40
const addDays = (day: string, n: number) => new Date(Date.parse(day) + n * dayMs).toISOString().slice(0, 10)

type Query = {
  productId?: number
  marketId?: number
  categoryId?: number
  location?: string
  province?: string
  startDate?: string | undefined
  endDate?: string
}
type Rate = { day: string; cdfPerUsd: number }
type Converted = Quote & { day: string; cdf: number }

test('a summary equals a plain computation from every price, whatever the prices, the rates and the selection', async () => {
  const day = fc.integer({ min: -5, max: days + 5 }).map((n) => addDays(firstDay, n))
  const rate = fc.record({
    day,
    cdfPerUsd: fc.integer({ min: 1_800_000, max: 3_000_000 }).map((n) => n / 1000),
  })
  const query: fc.Arbitrary<Query> = fc
    .record(
      {
        productId: fc.constantFrom(...productIds),
        marketId: fc.constantFrom(...marketIds),
        categoryId: fc.constantFrom(cereals, oils),
        location: fc.constantFrom('Mbandaka', 'Kindu'),
        province: fc.constantFrom('Équateur', 'Maniema'),
        startDate: day,
        endDate: day,
      },
      { requiredKeys: [] },
    )
    .filter(({ startDate = '', endDate = '9' }) => startDate <= endDate)
  const scene = fc.record({
    stored: fc.array(quotes({ productIds, marketIds, firstDay, days }), { maxLength: 150, size: 'max' }),
    rates: fc.uniqueArray(rate, { maxLength: 6, selector: (given) => given.day }),
    queries: fc.array(query, { minLength: 8, maxLength: 8 }),
    isCounted: fc.boolean(),
  })
  const wholes: Query[] = [
    { categoryId: cereals },
    { categoryId: oils, startDate: '2026-01-15' },
    { location: 'mbandaka' },
    { province: 'EQUATEUR', endDate: '2026-02-05' },
  ]

  await fc.assert(
    fc.asyncProperty(scene, async ({ stored, rates, queries, isCounted }) => {
      await sql`delete from price`.execute(db)
      await sql`delete from exchange_rate`.execute(db)
      for (const given of rates.slice(0, 2)) await setRate(db, given)
      await insertQuotes(db, stored, places)
      // January is a complete month, and February is not.
      if (isCounted) await countMonths(db, '2026-02-20')
      for (const given of rates.slice(2)) await setRate(db, given)
      for (const query of [...queries, ...wholes])
        expectAlike(await summarise(query), readPlainly(stored, rates, query))
    }),
    { numRuns: 50, seed: 1 },
  )
})

async function summarise(query: Query): Promise<PriceSummary> {
  const texts = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
  const answer = await reader.get(`/api/prices/analytics/summary?${new URLSearchParams(texts)}`)
  expect(answer.status, answer.text).toBe(200)
  return priceSummary.parse(answer.body)
}

function isSame(asked: string | undefined, name: string): boolean {
  return asked === undefined || asked.localeCompare(name, 'fr', { sensitivity: 'base' }) === 0
}

/** Returns the prices of a selection, and those of them that have a value in CDF. */
function select(stored: Quote[], rates: Rate[], query: Query): { selected: Quote[]; converted: Converted[] } {
  const selected = stored
    .map((quote) => ({ ...quote, day: localDay(quote.collectedAt, zoneOf(quote.marketId, places)) }))
    .filter(
      ({ productId, marketId, day }) =>
        (query.productId ?? productId) === productId &&
        (query.marketId ?? marketId) === marketId &&
        products.some(
          ({ id, categoryId }) => id === productId && (query.categoryId ?? categoryId) === categoryId,
        ) &&
        places.some(
          (place) =>
            place.id === marketId &&
            isSame(query.location, place.location) &&
            isSame(query.province, place.province),
        ) &&
        (query.startDate ?? day) <= day &&
        (query.endDate ?? day) >= day,
    )
  const converted = selected.flatMap((quote): Converted[] => {
    const rate = quote.currency === 'CDF' ? 1 : rateOn(quote.day, rates)
    return rate === undefined ? [] : [{ ...quote, cdf: quote.priceValue * rate }]
  })
  return { selected, converted }
}

type Plain = Omit<
  PriceSummary,
  | 'productDistribution'
  | 'marketDistribution'
  | 'priceTrend'
  | 'inflation'
  | 'change'
  | 'unmeasured'
  | 'unlinked'
  | 'index'
  | 'earlierIndex'
> & {
  byProduct: Map<number, number>
  byMarket: Map<number, number>
  measured: ReturnType<typeof plainIndex>
  /** Whether the prices are of one series, whose change has another definition. */
  isOneSeries: boolean
}

/** Computes the statistics from their definitions by the slowest method, without rollups or SQL. */
function readPlainly(stored: Quote[], rates: Rate[], query: Query): Plain {
  const { selected, converted } = select(stored, rates, query)
  const inDays = [...groupBy(converted, ({ day }) => day)].sort(([a], [b]) => (a < b ? -1 : 1))
  // The index uses days before the requested ones, for the same series.
  const history =
    converted.length > 0 ? select(stored, rates, { ...query, startDate: undefined }).converted : []
  const until = inDays.at(-1)?.[0] ?? ''
  const quotes = history
    .filter(({ day }) => day <= until)
    .map((quote) => ({ ...quote, series: `${quote.productId}/${quote.marketId}`, product: quote.productId }))
  const period = { start: query.startDate ?? inDays[0]?.[0] ?? '', end: query.endDate ?? until }
  const measured = plainIndex(quotes, period, query.startDate === undefined)
  // Today is long after all of these days.
  const heard = new Set(
    quotes
      .filter(({ day }) => query.endDate && day >= addDays(query.endDate, -14))
      .map(({ marketId }) => marketId),
  )
  const amounts = converted.map(({ cdf }) => cdf)
  const instants = converted.map(({ collectedAt }) => collectedAt.getTime())
  const has = converted.length > 0
  return {
    currency: 'CDF',
    isEstimate: false,
    totalPrices: converted.length,
    excluded: selected.length - converted.length,
    averagePrice: has ? mean(amounts) : null,
    minPrice: has ? Math.min(...amounts) : null,
    maxPrice: has ? Math.max(...amounts) : null,
    measured: inDays.length < 2 ? { ...measured, change: null } : measured,
    isOneSeries: new Set(quotes.map(({ series }) => series)).size === 1,
    matchedSeries: measured.matchedSeries,
    isTooLarge: false,
    asOf: null,
    knownSeries: new Set(quotes.map(({ series }) => series)).size,
    silentMarkets: new Set(quotes.map(({ marketId }) => marketId)).size - heard.size,
    pricedDays: inDays.length,
    pricedProducts: new Set(converted.map(({ productId }) => productId)).size,
    atOldRate: converted.filter(({ currency, day }) => currency === 'USD' && isOld(day, rates)).length,
    lastCollectedAt: has ? new Date(Math.max(...instants)).toISOString() : null,
    currencyDistribution: (['CDF', 'USD'] as const)
      .map((currency) => ({
        currency,
        count: converted.filter((quote) => quote.currency === currency).length,
      }))
      .filter(({ count }) => count > 0),
    dailyPrices: inDays.map(([date, quotes]) => ({
      date,
      count: quotes.length,
      averagePrice: mean(quotes.map(({ cdf }) => cdf)),
    })),
    byProduct: tally(converted.map(({ productId }) => productId)),
    byMarket: tally(converted.map(({ marketId }) => marketId)),
  }
}

function rateOn(day: string, rates: Rate[]): number | undefined {
  const given = rates.filter((rate) => rate.day <= day).sort((a, b) => (a.day < b.day ? 1 : -1))
  return given[0]?.cdfPerUsd
}

function isOld(day: string, rates: Rate[]): boolean {
  return !rates.some((rate) => rate.day <= day && rate.day >= addDays(day, -7))
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function tally(ids: number[]): Map<number, number> {
  return new Map([...groupBy(ids, (id) => id)].map(([id, same]) => [id, same.length]))
}

function expectAlike(summary: PriceSummary, plain: ReturnType<typeof readPlainly>): void {
  const {
    productDistribution,
    marketDistribution,
    priceTrend,
    inflation,
    change,
    index,
    earlierIndex,
    unmeasured,
    unlinked,
    ...figures
  } = summary
  const { byProduct, byMarket, measured, isOneSeries, ...expected } = plain
  expect(figures).toEqual(nearly(expected))
  const values = (points: PriceSummary['index']) => points.map(({ week, value }) => ({ week, value }))
  expect(values(index)).toEqual(nearly(measured.index))
  expect(values(earlierIndex)).toEqual(nearly(measured.earlierIndex))
  expect(unmeasured === null || (isOneSeries && change === null)).toBe(true)
  expect(unlinked === null || (!isOneSeries && change === null)).toBe(true)
  if (isOneSeries) return
  if (measured.change === null) {
    expect([change, priceTrend, inflation]).toEqual([null, null, null])
    return
  }
  const { error, products, clusters } = measured.change.error
  const margin = error === null ? null : studentOf(clusters) * error
  const { value, from, to } = measured.change
  expect(change).toMatchObject({ ...Object(nearly({ value, margin })), from, to, products })
  expect(inflation).toEqual(products < 3 ? null : nearly(value))
  expect(priceTrend).toBe(plainTrend(measured.change))
  for (const [shares, counts] of [
    [productDistribution, byProduct],
    [marketDistribution, byMarket],
  ] as const) {
    expect(new Map(shares.map(({ id, count }) => [id, count]))).toEqual(counts)
    expect(shares).toEqual(shares.toSorted((a, b) => b.count - a.count || a.id - b.id))
  }
}

/** Compares fractions to nine digits: floating point sums in another order than the database. */
function nearly(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isInteger(value))
    return expect.closeTo(value, 9 - magnitude(value))
  if (Array.isArray(value)) return value.map(nearly)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, nearly(inner)]))
}

function magnitude(value: number): number {
  return Math.max(0, Math.ceil(Math.log10(Math.abs(value))))
}
