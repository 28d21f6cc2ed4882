import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { addDays } from '#shared/days.ts'
import { insertCategory, insertMarket, insertProduct, insertType } from '../../../tests/support/catalogue.ts'
import { inflationReader } from '../../../tests/support/inflation.ts'
import { insertQuotes, type Place } from '../../../tests/support/random-prices.ts'
import { setRate } from '../../../tests/support/rates.ts'
import { testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const reader = await server.as('manager')
const read = inflationReader(reader)
const admin = await server.as('admin')
const food = await insertCategory(db)
const home = await insertCategory(db)
const types = await Promise.all([food, food, home].map((category_id) => insertType(db, { category_id })))
const productIds = await Promise.all(types.map((type_id) => insertProduct(db, { type_id })))
const timeZone = 'Africa/Lubumbashi'
const [goma, bukavu] = [
  await insertMarket(db, { location: 'Goma', time_zone: timeZone }),
  await insertMarket(db, { location: 'Bukavu', time_zone: timeZone }),
]
const places: Place[] = [goma, bukavu].map((id) => ({ id, timeZone }))
/** Rise of the prices of each product, in logarithms a week. */
const paces = [0.001, 0.002, 0.006]
const meanPace = 0.003

beforeEach(async () => {
  await sql`delete from price`.execute(db)
  await sql`delete from product_type_weight`.execute(db)
})

/**
 * Inserts a price a week of each product in both markets, each rising at its own pace, up to a week of some years ago.
 */
async function quoteSteadily(weeks: number, last: string): Promise<void> {
  const quotes = productIds.flatMap((productId, i) =>
    [goma, bukavu].flatMap((marketId) =>
      Array.from({ length: weeks }, (_, ago) => ({
        productId,
        marketId,
        currency: 'CDF' as const,
        collectorName: 'Amina',
        lane: 0,
        priceValue: Math.round(1e6 * Math.exp(-ago * paces[i]!)) / 100,
        collectedAt: new Date(`${addDays(last, -7 * ago)}T10:00Z`),
      })),
    ),
  )
  await insertQuotes(db, quotes, places)
}

test('the 53rd week of a year is compared with the last week of the year before, in all its figures', async () => {
  await setRate(db, { day: '2018-01-01', cdfPerUsd: 1600 })
  await setRate(db, { day: '2020-06-01', cdfPerUsd: 1900 })
  await quoteSteadily(110, '2020-12-28')
  for (const weights of [false, true]) {
    if (weights)
      for (const [i, typeId] of types.entries())
        await admin.post('/api/type-weights', {
          typeId,
          weight: [1, 1, 2][i],
          day: '2018-01-01',
          source: 'A',
        })
    const pace = weights ? (0.001 + 0.002 + 2 * 0.006) / 4 : meanPace
    const shown = await read('measure=cumulative&until=2021-01-01')
    const whole = Math.expm1(53 * pace)
    expect(shown.weeks.at(-1)).toMatchObject({
      week: '2020-12-28',
      number: 53,
      cumulative: expect.closeTo(whole, 5),
      annualised: expect.closeTo(Math.expm1(52 * pace), 5),
      yearly: expect.closeTo(Math.expm1(52 * pace), 5),
    })
    expect(shown.changes.cumulative).toMatchObject({ from: '2019-12-23', to: '2020-12-28', products: 3 })
    expect(shown.changes.cumulative?.margin).toBeGreaterThan(0)
    const { types: parts, categories } = shown.contributions
    expect(parts.map(({ id, value }) => [id, value]).toSorted()).toEqual(
      types.map((id, i) => [id, expect.closeTo(Math.expm1(53 * paces[i]!), 5)]).toSorted(),
    )
    for (const groups of [parts, categories])
      expect(groups.reduce((sum, { points }) => sum + points, 0)).toBeCloseTo(whole, 5)
    expect(shown.exchange?.dollar).toBeCloseTo(1900 / 1600 - 1, 9)
    expect(shown.exchange?.francs).toBeCloseTo(whole, 5)
  }
})

test('early in a year an annualised change is large beside a stable cumulative change, and has no trend', async () => {
  await quoteSteadily(56, '2021-01-11')
  const { cumulative, annualised } = (await read()).changes
  expect(cumulative?.trend).toBe('stable')
  expect(annualised).toMatchObject({ value: expect.closeTo(Math.expm1(52 * meanPace), 3), trend: null })
})

test('weeks of the year before have all their figures, each measured by the year that ends with it', async () => {
  await quoteSteadily(112, '2021-01-11')
  const { weeks, basis } = await read()
  expect(weeks).toHaveLength(53)
  for (const { number, weekly, cumulative, annualised, yearly } of weeks) {
    expect(weekly).toBeCloseTo(Math.expm1(meanPace), 5)
    expect(cumulative).toBeCloseTo(Math.expm1(meanPace * number), 5)
    expect(annualised).toBeCloseTo(Math.expm1(meanPace * 52), 3)
    expect(yearly).toBeCloseTo(Math.expm1(meanPace * 52), 5)
  }
  // The basis of the index itself covers its own year.
  expect(basis.firstDay).toBe('2020-01-13')
})
