import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Inflation } from '#features/prices/inflation/inflation.contract.ts'
import { addDays } from '#features/prices/rollups/rollups.rules.ts'
import { createKeeper } from '#features/prices/stored-index/stored-index.jobs.ts'
import { insertMarket, insertProduct, insertType } from '../../../../tests/support/catalogue.ts'
import { inflationReader } from '../../../../tests/support/inflation.ts'
import { insertQuotes, type Place } from '../../../../tests/support/random-prices.ts'
import { testServer } from '../../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const reader = await server.as('manager')
const read = inflationReader(reader)
const productIds = await Promise.all([1, 2, 3].map(() => insertProduct(db)))
const places: Place[] = await Promise.all(
  [1, 2].map(async () => ({
    id: await insertMarket(db, { time_zone: 'Africa/Kinshasa' }),
    timeZone: 'Africa/Kinshasa' as const,
  })),
)
const [goma = 0, kinshasa = 0] = places.map(({ id }) => id)

test('of too many series to fit, the stored indices tell of every week and of all years what a fit would', async () => {
  const quotes = Array.from({ length: 130 }, (_, week) =>
    [goma, kinshasa].flatMap((marketId, at) =>
      productIds
        .map((productId, n) => ({
          ...{ productId, marketId, currency: 'CDF' as const, collectorName: 'Amina', lane: 0 },
          priceValue:
            Math.round(100_000 * Math.exp(0.004 * week + 0.05 * Math.sin(week * (n + 1) + at))) / 100,
          collectedAt: new Date(`${addDays('2018-07-09', 7 * week)}T10:00Z`),
        }))
        // The second product is missing now and then, in the last week too.
        .filter((_, n) => n !== 1 || (week + at) % 4 !== 1),
    ),
  ).flat()
  await insertQuotes(db, quotes, places)
  const summary = async () => Object((await reader.get('/api/prices/analytics/summary?')).body)
  const [fitted, whole] = [await read(), await summary()]
  const ofYear = await read('measure=cumulative')
  const keeper = createKeeper(db, 0)
  await keeper.follow()
  while (await keeper.followWindows()) {
    // There are more.
  }
  const nearly = (value: number | null) => value && expect.closeTo(value, 9)
  const figures = ({ weeks, contributions, changes }: Inflation) =>
    JSON.parse(JSON.stringify({ weeks, contributions, changes }), (_, value) =>
      typeof value === 'number' ? nearly(value) : value,
    )
  // Series of a large city: only its last year is read.
  await sql`update price_index set known_series = 3000`.execute(db)
  const large = await read()
  expect(large).toMatchObject({ ...figures(fitted), basis: { series: 6 } })
  expect(fitted.weeks.at(-1)).toMatchObject({ number: 53, cumulative: expect.any(Number) })
  expect((await read('measure=cumulative')).contributions).toEqual(figures(ofYear).contributions)
  expect(large.basis.prices).toBeLessThan(fitted.basis.prices ?? 0)
  await sql`update price_index set known_series = 20000`.execute(db)
  const [stored, years] = [await read(), await summary()]
  expect(stored.basis).toMatchObject({ prices: null, knownSeries: 20_000 })
  // Weights are of no use to them, which is said where some were entered.
  expect(stored.isTooLargeToWeigh).toBe(false)
  const weight = { type_id: await insertType(db), day: '2018-01-01', weight: 12, source: 'Enquête' }
  await db.insertInto('product_type_weight').values(weight).execute()
  expect(await read()).toEqual({ ...stored, isTooLargeToWeigh: true })
  expect(fitted.weeks.filter(({ yearly }) => yearly !== null)).toHaveLength(53)
  expect(stored.weeks.map(({ yearly }) => yearly)).toEqual(fitted.weeks.map(({ yearly }) => nearly(yearly)))
  expect(years).toMatchObject({ isTooLarge: false, knownSeries: 20_000, change: { margin: null } })
  expect(years.index).toHaveLength(130)
  expect(years.index).toEqual(
    whole.index.map((point: { value: number }) => ({ ...point, value: expect.closeTo(point.value, 7) })),
  )
  // Until a price of long ago has been taken in, its week and those after it are provisional, and figures of years say so.
  await insertQuotes(
    db,
    quotes.slice(0, 1).map((quote) => ({ ...quote, collectedAt: new Date('2019-08-12T10:00Z') })),
    places,
  )
  type Point = { week: string; isProvisional: boolean }
  const provisional = (points: Point[]) => points.filter(({ isProvisional }) => isProvisional)
  expect(provisional(years.index)[0]?.week).not.toBe('2019-08-12')
  expect(provisional((await summary()).index)[0]?.week).toBe('2019-08-12')
  const moving = (await read()).weeks.map(({ isMoving }) => isMoving)
  expect(moving).toEqual(stored.weeks.map((_, at) => at < moving.length - 1))
  const days = 'startDate=2018-07-16&endDate=2021-01-03'
  const { bytes } = await reader.send(`/api/statistics/export?${days}&fileFormat=csv`, {})
  expect(bytes.toString()).toContain('28\u00a0décembre\u00a02020, en cours de mise à jour')
})
