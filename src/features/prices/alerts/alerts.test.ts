import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { insertMarket, insertProduct } from '../../../../tests/support/catalogue.ts'
import { testDatabase } from '../../../../tests/support/database.ts'
import { alertTask } from './alerts.jobs.ts'
import { listAlerts } from './alerts.sql.ts'

const { db } = await testDatabase()
const today = '2026-11-20'
const dayBefore = (n: number) => new Date(Date.parse(today) - n * 86_400_000).toISOString().slice(0, 10)
const marketId = await insertMarket(db)

/** A series with a price every so many days, from as long ago as a year and a month. */
async function insertSeries(
  priceOf: (daysAgo: number) => number,
  { every = 5, until = 0, since = 395, currency = 'CDF' } = {},
): Promise<number> {
  const product_id = await insertProduct(db)
  const days = Array.from({ length: Math.ceil((since - until) / every) }, (_, i) => until + i * every)
  await db
    .insertInto('price')
    .values(
      days.map((n) => ({
        product_id,
        market_id: marketId,
        price_value: Math.round(priceOf(n) * 100) / 100,
        currency,
        collector_name: 'Amina',
        collected_at: `${dayBefore(n)}T10:00:00Z`,
        observed_on: dayBefore(n),
      })),
    )
    .execute()
  return product_id
}

/** A series is as dear as it was for a year, and so much dearer in the month of its last price. */
const dearerBy = (factor: number) => (daysAgo: number) => (daysAgo < 20 ? 1000 * factor : 1000)

test('a series that became dearer than others, or whose last price is out of all measure, is found and explained', async () => {
  await sql`insert into exchange_rate (day, cdf_per_usd) values ('2025-01-01', 2000)`.execute(db)
  const calm = []
  for (let i = 0; i < 8; i++) calm.push(await insertSeries(() => 500 + i))
  const dearer = await insertSeries(dearerBy(1.4))
  const alittle = await insertSeries(dearerBy(1.2))
  const slip = await insertSeries((n) => (n === 0 ? 10_000 : 1000))
  const lost = await insertSeries((n) => (n === 0 ? 1 : 4), { currency: 'USD' })
  const silent = await insertSeries(dearerBy(3), { until: 40 })
  const young = await insertSeries(dearerBy(1.5), { since: 100 })
  await alertTask({ db, clock: () => new Date(`${today}T12:00:00Z`) }).run(
    {},
    {
      signal: new AbortController().signal,
      isLast: false,
    },
  )

  const { data, total } = await listAlerts(db, {}, { limit: 10, today })
  expect(data.map(({ product, kind }) => [product.id, kind])).toEqual([
    [slip, 'outlier'],
    [lost, 'outlier'],
    [dearer, 'dearer'],
  ])
  expect(total).toBe(3)
  expect(data[0]).toMatchObject({ change: expect.closeTo(9), overall: null, lastCollectedOn: today })
  expect(data[1]?.change).toBeCloseTo(-0.75)

  // The same by hand: the mean of the month over that of the twelve before, all prices less what the others did.
  const { rows } = await sql<{ ratio: number }>`
    with month as (
      select date_trunc('month', date_trunc('week', observed_on)) as month, exp(avg(ln(price_value::float8))) as price
        from price where product_id = ${dearer} group by 1)
    select (select price from month where month = '2026-11-01')
         / (select avg(price) from month where month >= '2025-11-01' and month < '2026-11-01') as ratio`.execute(
    db,
  )
  expect(data[2]?.change).toBeCloseTo((rows[0]?.ratio ?? 0) - 1, 3)
  expect(data[2]?.overall).toBeGreaterThan(-0.1)
  expect(data[2]?.overall).toBeLessThan(0.1)
  for (const id of [...calm, alittle, silent, young]) {
    expect(data.map(({ product }) => product.id)).not.toContain(id)
  }
  expect(await listAlerts(db, { productId: dearer }, { limit: 1, today })).toMatchObject({ total: 1 })
  // A month later nobody has seen them.
  expect((await listAlerts(db, {}, { limit: 3, today: '2026-12-25' })).total).toBe(0)
})

test('what is no longer unusual is no alert any more', async () => {
  await sql`delete from price where price_value >= 10000`.execute(db)
  await alertTask({ db, clock: () => new Date(`${today}T12:00:00Z`) }).run(
    {},
    {
      signal: new AbortController().signal,
      isLast: false,
    },
  )
  const { data } = await listAlerts(db, {}, { limit: 10, today })
  expect(data.map(({ kind }) => kind)).toEqual(['outlier', 'dearer'])
})
