import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readNationalIndex } from '#features/figures/stored-index/indices.sql.ts'
import { addDays, dayMs } from '#shared/days.ts'
import { groupBy } from '#shared/group-by.ts'
import { firstAttempt } from '../../../../tests/support/attempt.ts'
import { insertMarket, insertProduct } from '../../../../tests/support/catalogue.ts'
import { testDatabase } from '../../../../tests/support/database.ts'
import { setRate } from '../../../../tests/support/rates.ts'
import { alertTask } from './alerts.jobs.ts'
import { type Level, listAlerts, replaceAlerts } from './alerts.sql.ts'

const { db } = await testDatabase()
const today = '2026-11-20'
const dayBefore = (n: number) => new Date(Date.parse(today) - n * dayMs).toISOString().slice(0, 10)
const marketId = await insertMarket(db)

/** Inserts a series with a price every `every` days, from a year and a month ago on. */
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

/** Returns prices that are constant for a year and higher by `factor` in the last 30 days. */
const dearerBy = (factor: number) => (daysAgo: number) => (daysAgo < 30 ? 1000 * factor : 1000)

test('a series that became more expensive than others, or whose last price is an outlier, is found and explained', async () => {
  await sql`insert into exchange_rate (day, cdf_per_usd) values ('2025-01-01', 2000)`.execute(db)
  const calm = []
  for (let i = 0; i < 16; i++) calm.push(await insertSeries(() => 500 + i))
  const dearer = await insertSeries(dearerBy(1.4))
  const alittle = await insertSeries(dearerBy(1.2))
  const slip = await insertSeries((n) => (n === 0 ? 10_000 : 1000))
  const lost = await insertSeries((n) => (n === 0 ? 1 : 4), { currency: 'USD' })
  const silent = await insertSeries(dearerBy(3), { until: 40 })
  const young = await insertSeries(dearerBy(1.5), { since: 100 })
  await alertTask({ db, clock: () => new Date(`${today}T12:00:00Z`) }).run({}, firstAttempt(db))

  const { data, total } = await listAlerts(db, {}, { limit: 10, today })
  expect(data.map(({ product, kind }) => [product.id, kind])).toEqual([
    [slip, 'outlier'],
    [lost, 'outlier'],
    [dearer, 'dearer'],
  ])
  expect(total).toBe(3)
  expect(data[0]).toMatchObject({ change: expect.closeTo(9), overall: null, lastCollectedOn: today })
  expect(data[1]?.change).toBeCloseTo(-0.75)

  // The same computed in SQL: the mean of the last 30 days over that of the twelve windows before.
  const { rows } = await sql<{ shown: number; usual: number }>`
    with averaged as (
      select (${today}::date - observed_on) / 30 as back, avg(price_value::float8) as price
        from price where product_id = ${dearer} group by 1)
    select (select price from averaged where back = 0) as shown,
           (select avg(price) from averaged where back between 1 and 12) as usual`.execute(db)
  const { shown = 0, usual = 1 } = rows[0] ?? {}
  expect(data[2]).toMatchObject({
    price: expect.closeTo(shown, 6),
    usual: expect.closeTo(usual, 6),
    change: expect.closeTo(shown / usual - 1, 9),
  })
  // Relative to all prices: each window's mean is divided by the index of the week in which it ends.
  const index = await readNationalIndex(db, { start: dayBefore(400), end: today })
  const levelOf = (back: number) => {
    const week =
      (Date.parse(mondayBefore(dayBefore(30 * back))) - Date.parse(index?.start ?? '')) / (7 * dayMs)
    return index?.levels[week] ?? Number.NaN
  }
  const then = Array.from({ length: 12 }, (_, i) => 1000 / Math.exp(levelOf(i + 1)))
  const real = shown / Math.exp(levelOf(0)) / (then.reduce((sum, each) => sum + each, 0) / 12)
  expect(data[2]?.overall).toBeCloseTo(shown / usual / real - 1, 9)
  for (const id of [...calm, alittle, silent, young]) {
    expect(data.map(({ product }) => product.id)).not.toContain(id)
  }
  expect(await listAlerts(db, { productId: dearer }, { limit: 1, today })).toMatchObject({ total: 1 })
  // A month later they are no longer listed.
  expect((await listAlerts(db, {}, { limit: 3, today: '2026-12-25' })).total).toBe(0)
})

test('a series that is no longer unusual has no alert', async () => {
  await sql`delete from price where price_value >= 10000`.execute(db)
  await alertTask({ db, clock: () => new Date(`${today}T12:00:00Z`) }).run({}, firstAttempt(db))
  const { data } = await listAlerts(db, {}, { limit: 10, today })
  expect(data.map(({ kind }) => kind)).toEqual(['outlier', 'dearer'])
})

test('on a Monday without prices the level of the week before counts, while its window has one', async () => {
  const monday = '2026-11-23'
  const weekly = (weeks: number[]) =>
    weeks.map((n) => ({ week: addDays(monday, -7 * n), level: n < 5 ? 0.1 : 0 }))
  const kindsWith = async (levels: Level[]) => {
    await db.transaction().execute((tx) => replaceAlerts(tx, levels, monday))
    const { data } = await listAlerts(db, {}, { limit: 10, today: monday })
    return data.map(({ kind, overall }) => [kind, overall === null ? null : Math.round(100 * overall)])
  }
  const earlier = Array.from({ length: 60 }, (_, i) => i + 5)
  // exp(0.1): all prices rose by 11 %.
  const both = [
    ['outlier', null],
    ['dearer', 11],
  ]
  expect(await kindsWith(weekly([0, 1, 2, 3, 4, ...earlier]))).toEqual(both)
  expect(await kindsWith(weekly([1, 2, 3, 4, ...earlier]))).toEqual(both)
  expect(await kindsWith(weekly([4, ...earlier]))).toEqual(both)
  // Without a series that has prices in both periods, the index has no value for the last 30 days.
  expect(await kindsWith(weekly(earlier.slice(1)))).toEqual([['outlier', null]])
})

type Seen = { product: number; day: string; log: number; order: number }

test('alerts equal a plain computation from every price, whatever the prices, the gaps and the dollars', async () => {
  await sql`delete from price`.execute(db)
  await sql`delete from exchange_rate`.execute(db)
  const rates = [
    { day: dayBefore(300), cdfPerUsd: 2000 },
    { day: dayBefore(20), cdfPerUsd: 2600 },
  ]
  for (const rate of rates) await setRate(db, rate)
  const rateOn = (day: string) => rates.findLast((rate) => rate.day <= day)?.cdfPerUsd
  const productIds = await Promise.all(Array.from({ length: 8 }, () => insertProduct(db)))
  const quote = fc.record({
    daysAgo: fc.oneof(fc.integer({ min: 0, max: 430 }), fc.integer({ min: 0, max: 35 })),
    // Around one price, with rises and typing errors.
    factor: fc.oneof(
      { weight: 5, arbitrary: fc.integer({ min: 90, max: 110 }) },
      { weight: 1, arbitrary: fc.integer({ min: 15, max: 600 }) },
    ),
    isDollar: fc.nat({ max: 5 }).map((n) => n === 0),
  })
  const scene = fc.record({
    series: fc.tuple(...productIds.map(() => fc.array(quote, { minLength: 20, maxLength: 80, size: 'max' }))),
    levels: fc.array(fc.option(fc.integer({ min: -40, max: 40 }), { freq: 6 }), {
      minLength: 64,
      maxLength: 64,
    }),
    rises: fc.array(fc.constantFrom(1, 1, 1.3, 1.6), { minLength: 8, maxLength: 8 }),
  })
  const found = { dearer: 0, outlier: 0 }
  await fc.assert(
    fc.asyncProperty(scene, async ({ series, levels, rises }) => {
      await sql`delete from price`.execute(db)
      const quotes = series.flatMap((own, i) =>
        own.map(({ daysAgo, factor, isDollar }) => {
          const francs = 1000 * (i + 1) * (factor / 100) * (daysAgo < 25 ? (rises[i] ?? 1) : 1)
          const price_value = isDollar ? Math.round(francs / 20) / 100 : Math.round(francs)
          return { product: productIds[i] ?? 0, day: dayBefore(daysAgo), price_value, isDollar }
        }),
      )
      const ids = await db
        .insertInto('price')
        .values(
          quotes.map(({ product, day, price_value, isDollar }, i) => ({
            product_id: product,
            market_id: marketId,
            price_value,
            collector_name: 'Amina',
            currency: isDollar ? 'USD' : 'CDF',
            observed_on: day,
            collected_at: `${day}T10:${String(i % 60).padStart(2, '0')}:00Z`,
          })),
        )
        .returning('id')
        .execute()
      const seen = quotes.flatMap(({ product, day, price_value, isDollar }, i): Seen[] => {
        const rate = isDollar ? rateOn(day) : 1
        const order = (i % 60) * 1_000_000 + (ids[i]?.id ?? 0)
        return rate === undefined ? [] : [{ product, day, log: Math.log(price_value * rate), order }]
      })
      const valued = levels.flatMap((level, week): Level[] =>
        level === null ? [] : [{ week: mondayBefore(dayBefore(7 * week)), level: level / 100 }],
      )
      await db.transaction().execute((tx) => replaceAlerts(tx, valued, today))
      const { data, total } = await listAlerts(db, {}, { limit: 20, today })
      const expected = plainAlerts(seen, valued)
      expect(total).toBe(expected.length)
      expect(data.map(({ product, kind, change, overall }) => [product.id, kind, change, overall])).toEqual(
        expected.map(({ product, kind, change, overall }) => [
          ...[product, kind, expect.closeTo(change, 6)],
          overall === null ? null : expect.closeTo(overall, 6),
        ]),
      )
      for (const { kind } of data) found[kind] += 1
    }),
    { numRuns: 12, seed: 5, endOnFailure: true },
  )
  expect(Math.min(found.dearer, found.outlier)).toBeGreaterThan(7)
})

/** Computes the alerts from their definition, series by series. */
function plainAlerts(seen: Seen[], levels: Level[]) {
  const mean = (values: number[]) => values.reduce((total, value) => total + value, 0) / values.length
  return [...groupBy(seen, ({ product }) => product)]
    .flatMap(([product, own]) => {
      const last = own
        .filter(({ day }) => day >= dayBefore(30))
        .sort((a, b) => (a.day === b.day ? a.order - b.order : a.day < b.day ? -1 : 1))
        .at(-1)
      if (!last) return []
      const dayOf = (n: number) => new Date(Date.parse(last.day) - n * dayMs).toISOString().slice(0, 10)
      const before = own
        .filter(({ day }) => day < last.day && day >= dayOf(90))
        .map(({ log }) => Math.exp(log))
        .sort((a, b) => a - b)
      const half = before.length / 2
      const median = mean(before.slice(Math.ceil(half) - 1, Math.floor(half) + 1))
      const ratio = Math.exp(last.log) / median
      const outlier =
        before.length >= 5 && (ratio > 3 || ratio < 1 / 3)
          ? [{ product, kind: 'outlier', change: ratio - 1, overall: null }]
          : []
      const averages = [
        ...groupBy(own, ({ day }) => Math.floor((Date.parse(today) - Date.parse(day)) / dayMs / 30)),
      ]
        .filter(([back]) => back <= 12)
        .map(([back, all]) => ({
          back,
          price: mean(all.map(({ log }) => Math.exp(log))),
          level: levelOfWindow(levels, back),
        }))
      const compare = (prices: { back: number; price: number }[]) => {
        const now = prices.find(({ back }) => back === 0)?.price
        const then = prices.flatMap(({ back, price }) => (back > 0 ? [price] : []))
        return { ratio: now === undefined || then.length === 0 ? null : now / mean(then), count: then.length }
      }
      const nominal = compare(averages)
      const real = compare(
        averages.flatMap(({ back, price, level }) =>
          level === undefined ? [] : [{ back, price: price / Math.exp(level) }],
        ),
      )
      const isDearer =
        nominal.count >= 6 &&
        nominal.ratio !== null &&
        real.ratio !== null &&
        nominal.ratio >= 1.25 &&
        real.ratio >= 1.2
      const dearer = isDearer
        ? [
            {
              product,
              kind: 'dearer',
              change: (nominal.ratio ?? 0) - 1,
              overall: (nominal.ratio ?? 0) / (real.ratio ?? 1) - 1,
            },
          ]
        : []
      return [...outlier, ...dearer].sort(byStrength).slice(0, 1)
    })
    .sort((a, b) => byStrength(a, b) || a.product - b.product)
}

/** The level of the last week with a value of the weeks that a window of 30 days touches. */
function levelOfWindow(levels: Level[], back: number): number | undefined {
  const [from, to] = [dayBefore(30 * back + 29), dayBefore(30 * back)].map(mondayBefore)
  return levels
    .filter(({ week }) => week >= (from ?? '') && week <= (to ?? ''))
    .sort((a, b) => (a.week < b.week ? 1 : -1))[0]?.level
}

function byStrength(a: { change: number }, b: { change: number }): number {
  return Math.abs(Math.log1p(b.change)) - Math.abs(Math.log1p(a.change))
}

function mondayBefore(day: string): string {
  const date = new Date(day)
  return new Date(date.getTime() - ((date.getUTCDay() + 6) % 7) * dayMs).toISOString().slice(0, 10)
}
