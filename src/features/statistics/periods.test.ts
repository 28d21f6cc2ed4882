import { expect, onTestFinished, test } from 'vitest'
import { dayMs } from '#shared/days.ts'
import { insertMarket, insertPrice, insertProduct } from '../../../tests/support/catalogue.ts'
import { testServer } from '../../../tests/support/server.ts'
import { type Overview, overview, periodDays } from './statistics.contract.ts'

let now = ''
const server = await testServer({ clock: () => new Date(now) })
const { db } = server
const reader = await server.as('manager')
const product_id = await insertProduct(db)
const market_id = await insertMarket(db, { time_zone: 'Africa/Lubumbashi' })

async function overviewAt(instant: string, query: string): Promise<Overview> {
  now = instant
  return overview.parse((await reader.get(`/api/statistics/overview?${query}`)).body)
}
const daysBefore = (day: string, n: number) =>
  new Date(Date.parse(day) - n * dayMs).toISOString().slice(0, 10)

test('a period ends on the current day in Kinshasa, to the second, at the end of months and on leap days', async () => {
  for (const [instant, today] of [
    ['2024-02-28T22:59:59.999Z', '2024-02-28'],
    ['2024-02-28T23:00:00.000Z', '2024-02-29'],
    ['2024-02-29T23:00:00.000Z', '2024-03-01'],
    ['2025-02-28T23:00:00.000Z', '2025-03-01'],
    ['2026-12-31T22:59:59.999Z', '2026-12-31'],
    ['2026-12-31T23:00:00.000Z', '2027-01-01'],
  ] as const) {
    for (const [period, length] of Object.entries(periodDays)) {
      const { days } = await overviewAt(instant, `period=${period}`)
      expect(days, `${instant} ${period}`).toEqual({
        startDate: daysBefore(today, length - 1),
        endDate: today,
        previous: { startDate: daysBefore(today, 2 * length - 1), endDate: daysBefore(today, length) },
      })
    }
  }
  expect((await overviewAt('2025-02-28T12:00Z', 'period=1y')).days?.startDate).toBe('2024-03-01')
  expect((await overviewAt('2024-02-29T12:00Z', 'period=1y')).days?.startDate).toBe('2023-03-02')
})

test('an unfinished period is compared with the same number of days before', async () => {
  const previousOf = async (query: string) => (await overviewAt('2026-11-24T12:00Z', query)).days?.previous
  expect(await previousOf('startDate=2026-11-10&endDate=2026-12-10')).toEqual({
    startDate: '2026-10-26',
    endDate: '2026-11-09',
  })
  expect(await previousOf('startDate=2026-11-10&endDate=2026-11-20')).toEqual({
    startDate: '2026-10-30',
    endDate: '2026-11-09',
  })
  expect(await previousOf('startDate=2026-12-01&endDate=2026-12-02')).toEqual({
    startDate: '2026-11-29',
    endDate: '2026-11-30',
  })
})

test('today contains the prices with that local day, and none of tomorrow', async () => {
  for (const [at, day] of [
    ['2024-02-28T21:59:00Z', '2024-02-28'],
    ['2024-02-28T22:30:00Z', '2024-02-29'],
    ['2024-02-29T21:59:00Z', '2024-02-29'],
    ['2024-02-29T22:00:00Z', '2024-03-01'],
    // A device with a wrong clock.
    ['2030-01-01T10:00:00Z', '2030-01-01'],
  ] as const)
    await insertPrice(db, { product_id, market_id, at, day })
  const pricesAt = async (instant: string, query: string) => (await overviewAt(instant, query)).prices
  expect(await pricesAt('2024-02-28T22:45:00Z', 'period=1d')).toMatchObject({ total: 1, change: null })
  // In Kinshasa the day has just begun; in Lubumbashi, an hour ago.
  expect(await pricesAt('2024-02-28T23:00:00Z', 'period=1d')).toMatchObject({ total: 2, change: 100 })
  expect(await pricesAt('2024-02-29T23:00:00Z', 'period=1d')).toMatchObject({ total: 1, change: -50 })
  expect(await pricesAt('2024-02-29T12:00:00Z', 'period=30d')).toMatchObject({ total: 3 })
  expect(await pricesAt('2024-02-29T12:00:00Z', 'startDate=2024-02-29')).toMatchObject({ total: 4 })
  expect(await pricesAt('2024-02-29T12:00:00Z', '')).toMatchObject({ total: 5 })
})

test('provisional and old figures follow the same clock on every page', async () => {
  const id = await insertProduct(db)
  onTestFinished(async () => void (await db.deleteFrom('price').where('product_id', '=', id).execute()))
  for (const day of ['2019-01-02', '2019-01-09'])
    await insertPrice(db, { product_id: id, market_id, at: `${day}T10:00:00Z`, day })
  const readGrowth = async (instant: string) => {
    now = instant
    const get = async (path: string) => Object((await reader.get(`/api/${path}?productId=${id}`)).body)
    const weeks: { isProvisional: boolean }[] = (await get('prices/analytics/summary')).index
    return [
      ...weeks.map(({ isProvisional }) => isProvisional),
      (await get('statistics/inflation')).basis.isStale,
    ]
  }
  // Eight weeks are provisional, the current one included.
  expect(await readGrowth('2019-02-24T22:59:59Z')).toEqual([true, true, true])
  expect(await readGrowth('2019-02-24T23:00:00Z')).toEqual([false, true, true])
  expect(await readGrowth('2019-02-08T22:59:59Z')).toEqual([true, true, false])
  expect(await readGrowth('2019-02-08T23:00:00Z')).toEqual([true, true, true])
})
