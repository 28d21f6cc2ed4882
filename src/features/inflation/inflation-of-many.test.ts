import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { fitAll } from '#features/figures/stored-index/fitting.jobs.ts'
import type { Inflation } from '#features/inflation/inflation.contract.ts'
import { addDays } from '#shared/days.ts'
import { insertMarket, insertProduct, insertType } from '../../../tests/support/catalogue.ts'
import { inflationReader } from '../../../tests/support/inflation.ts'
import { insertQuotes, type Place } from '../../../tests/support/random-prices.ts'
import { testServer } from '../../../tests/support/server.ts'

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

test('stored indices give the same figures as a fit for every week and year, and those of too many series give their date', async () => {
  const quotes = Array.from({ length: 130 }, (_, week) =>
    [goma, kinshasa].flatMap((marketId, at) =>
      productIds
        .map((productId, n) => ({
          productId,
          marketId,
          currency: 'CDF' as const,
          collectorName: 'Amina',
          lane: 0,
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
  await fitAll(db)
  const none = { categories: [], types: [] }
  const nearly = (value: number | null, digits = 9) => value && expect.closeTo(value, digits)
  const figures = ({ weeks, contributions, changes }: Inflation) =>
    JSON.parse(JSON.stringify({ weeks, contributions, changes }), (_, value) =>
      typeof value === 'number' ? nearly(value) : value,
    )
  // The stored figures equal those of a fit.
  const stored = await read()
  expect(stored).toMatchObject({ ...figures(fitted), asOf: null, basis: { ...fitted.basis, series: 6 } })
  expect(fitted.weeks.at(-1)).toMatchObject({ number: 53, cumulative: expect.any(Number) })
  expect((await read('measure=cumulative')).contributions).toEqual(figures(ofYear).contributions)
  const years = await summary()
  expect(years).toEqual({
    ...whole,
    inflation: nearly(whole.inflation, 7),
    change: { ...whole.change, value: expect.closeTo(whole.change.value, 7) },
    index: whole.index.map((point: { value: number }) => ({ ...point, value: nearly(point.value, 7) })),
  })
  expect(years.index).toHaveLength(130)
  // Larger than what is fitted during a request.
  await sql`update price_index set known_series = 20000`.execute(db)
  const large = await read()
  const { weekly, yearly } = fitted.changes
  expect(large).toMatchObject(
    figures({ ...fitted, contributions: none, changes: { ...large.changes, weekly, yearly } }),
  )
  expect(large).toMatchObject({ asOf: null, changes: { cumulative: { margin: null } } })
  expect(large.basis).toMatchObject({ prices: null, knownSeries: 20_000 })
  // Weights are not used for it, which the page says when some were entered.
  expect(large.isTooLargeToWeigh).toBe(false)
  const weight = { type_id: await insertType(db), day: '2018-01-01', weight: 12, source: 'Enquête' }
  await db.insertInto('product_type_weight').values(weight).execute()
  expect(await read()).toEqual({ ...large, isTooLargeToWeigh: true })
  expect(fitted.weeks.filter(({ yearly }) => yearly !== null)).toHaveLength(53)
  // Until a price of long ago is included, the figures say as of when they are.
  const { rows } = await sql<{ at: string }>`select fitted_at as at from price_index_fit`.execute(db)
  await insertQuotes(
    db,
    quotes.slice(0, 1).map((quote) => ({ ...quote, collectedAt: new Date('2019-08-12T10:00Z') })),
    places,
  )
  expect(await read()).toMatchObject({ asOf: rows[0]?.at, weeks: large.weeks })
  expect(await summary()).toMatchObject({ asOf: rows[0]?.at, knownSeries: 20_000, change: { margin: null } })
  const days = 'startDate=2018-07-16&endDate=2021-01-03'
  const { bytes } = await reader.send(`/api/statistics/export?${days}&fileFormat=csv`, {})
  expect(bytes.toString()).toContain(', calculé le ')
})
