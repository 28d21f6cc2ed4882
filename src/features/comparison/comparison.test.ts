import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Comparison, comparison } from '#features/comparison/comparison.contract.ts'
import {
  asIndex,
  firstCommonDay,
  gapBetween,
  gapSentence,
  weekMeans,
} from '#features/comparison/comparison.rules.ts'
import { seriesIn, seriesText } from '#features/prices/series/series.rules.ts'
import { dayMs } from '#shared/days.ts'
import { insertMarket, insertPrice, insertProduct } from '../../../tests/support/catalogue.ts'
import { daysAgo } from '../../../tests/support/market-days.ts'
import { setRate } from '../../../tests/support/rates.ts'
import { testServer } from '../../../tests/support/server.ts'

const addDays = (day: string, n: number) => new Date(Date.parse(day) + n * dayMs).toISOString().slice(0, 10)
const monday = '2025-01-06'
/** Returns a value per week from a Monday on; none for null. */
const weekly = (prices: (number | null)[]) =>
  prices.flatMap((price, i) =>
    price === null ? [] : [{ week: addDays(monday, 7 * i), log: Math.log(price) }],
  )
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
const flat = (price: number, weeks: number) => Array<number>(weeks).fill(price)
const today = addDays(monday, 7 * 21)

describe('the gap between two markets', () => {
  test('is described in a sentence, whatever the usual gap', () => {
    const said = (now: number, usual: number, other = 'Bukavu') =>
      gapSentence({ market: 'Goma', other, now, usual }).replaceAll('\u00a0', ' ')
    expect(said(0.18, 0.07)).toBe('Goma 18 % plus cher que Bukavu, d’habitude 7 %.')
    expect(said(0.18, -0.07, 'Uvira')).toBe('Goma 18 % plus cher qu’Uvira, d’habitude 7 % moins cher.')
    expect(said(0.15, 0.004)).toBe('Goma 15 % plus cher que Bukavu, d’habitude au même prix.')
    expect(said(0.003, 0.15)).toBe('Goma au même prix que Bukavu, d’habitude 15 % plus cher.')
    expect(said(0, -0.15, 'Écangu')).toBe('Goma au même prix qu’Écangu, d’habitude 15 % moins cher.')
  })

  test('is that of their last common week, compared with the median of the weeks before', () => {
    const gap = gapBetween(weekly([...flat(1070, 20), 1180]), weekly(flat(1000, 21)), today)
    expect(gap).toMatchObject({ week: addDays(monday, 140), weeks: 20, isUnusual: true })
    expect(gap?.now).toBeCloseTo(0.18, 9)
    expect(gap?.usual).toBeCloseTo(0.07, 9)
  })

  test('is usual within ten percent, and within twice the spread of the weeks before', () => {
    const other = weekly(flat(1000, 21))
    expect(gapBetween(weekly([...flat(1000, 20), 1099]), other, today)?.isUnusual).toBe(false)
    expect(gapBetween(weekly([...flat(1000, 20), 1101]), other, today)?.isUnusual).toBe(true)
    const unsteady = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 800 : 1250))
    expect(gapBetween(weekly([...unsteady, 1300]), other, today)?.isUnusual).toBe(false)
  })

  test('is not changed by one outlying week before', () => {
    const gap = gapBetween(weekly([...flat(1000, 19), 9000, 1000]), weekly(flat(1000, 21)), today)
    expect(gap).toMatchObject({ now: 0, usual: 0, isUnusual: false })
  })

  test('is not judged with fewer than twelve common weeks, or a last one more than a month ago', () => {
    const other = weekly(flat(1000, 21))
    expect(gapBetween(weekly([...Array(8).fill(null), ...flat(1000, 13)]), other, today)).not.toBeNull()
    expect(gapBetween(weekly([...Array(9).fill(null), ...flat(1000, 12)]), other, today)).toBeNull()
    expect(gapBetween(weekly(flat(1000, 16)), other, today)).toBeNull()
    expect(gapBetween([], other, today)).toBeNull()
  })
})

test('an index is 100 on the first common day, or for each series on its own first day', () => {
  const at = (date: string, value: number) => ({ date, value })
  const one = [at('2026-01-01', 10), at('2026-01-03', 20), at('2026-01-04', 30)]
  const other = [at('2026-01-02', 5), at('2026-01-03', 4)]
  expect(firstCommonDay([one, other, []])).toBe('2026-01-03')
  expect(asIndex(one, '2026-01-03').map(({ value }) => value)).toEqual([50, 100, 150])
  expect(firstCommonDay([one, [at('2026-02-01', 1)]])).toBeNull()
  expect(asIndex(other, null).map(({ value }) => value)).toEqual([100, 80])
})

test('series are named in an address and read from it, each once', () => {
  expect(seriesIn('12-3,4-5,12-3,012-03')).toEqual([
    { productId: 12, marketId: 3 },
    { productId: 4, marketId: 5 },
  ])
  expect(seriesText(seriesIn('12-3,4-5'))).toBe('12-3,4-5')
  expect([seriesIn(undefined), seriesText([])]).toEqual([[], undefined])
})

test('a week is the mean of its quotes, however many a day has', () => {
  const days = [
    { date: monday, count: 2, logs: 6 },
    { date: addDays(monday, 6), count: 1, logs: 6 },
    { date: addDays(monday, 7), count: 1, logs: 5 },
  ]
  expect(weekMeans(days)).toEqual([
    { week: monday, log: 4 },
    { week: addDays(monday, 7), log: 5 },
  ])
})

describe('a comparison', async () => {
  const server = await testServer()
  const { db } = server
  const reader = await server.as('manager')
  const product = await insertProduct(db, { name: 'Riz 25 kg' })
  const goma = await insertMarket(db, { name: 'Virunga', location: 'Goma' })
  const bukavu = await insertMarket(db, { name: 'Kadutu', location: 'Bukavu' })
  await setRate(db, { day: daysAgo(300), cdfPerUsd: 2000 })
  for (let week = 0; week < 20; week++) {
    const at = daysAgo(2 + 7 * week)
    await insertPrice(db, {
      product_id: product,
      market_id: goma,
      day: at,
      price_value: week === 0 ? 1300 : 1000,
    })
    await insertPrice(db, { product_id: product, market_id: bukavu, day: at, price_value: 1000 })
  }
  await insertPrice(db, {
    product_id: product,
    market_id: bukavu,
    day: daysAgo(1),
    price_value: 0.7,
    currency: 'USD',
  })
  const both = `${product}-${goma},${product}-${bukavu}`
  const read = async (query: string): Promise<Comparison> => {
    const { status, body, text } = await reader.get(`/api/statistics/comparison?${query}`)
    expect(status, text).toBe(200)
    return comparison.parse(body)
  }

  test('gives the mean of each day in francs, in dollars and as an index', async () => {
    const francs = await read(`series=${both}&startDate=${daysAgo(9)}`)
    expect(francs.data.map(({ points }) => points.map(({ value }) => value))).toEqual([
      [1000, 1300],
      [1000, 1000, 1400],
    ])
    const dollars = await read(`series=${both}&unit=USD&startDate=${daysAgo(9)}`)
    expect(dollars.data[1]?.points.map(({ value }) => value)).toEqual([0.5, 0.5, 0.7])
    // The rates used are listed beside the figures, each with its first day.
    expect(dollars.rates.map(({ date }) => date)).toEqual([daysAgo(9), daysAgo(2), daysAgo(1)])
    for (const rate of dollars.rates) {
      expect(rate.cdfPerUsd).toBe(2000)
      expect(rate.day <= rate.date).toBe(true)
    }
    expect(francs.rates).toEqual([])
    const index = await read(`series=${both}&unit=index&startDate=${daysAgo(9)}`)
    expect(index.base).toBe(daysAgo(9))
    expect(index.data[0]?.points.map(({ value }) => value)).toEqual([100, 130])
    expect(francs.data[1]).toMatchObject({ count: 3, lastDay: daysAgo(1), market: { location: 'Bukavu' } })
  })

  test('marks an unusual gap, whatever days are shown', async () => {
    const { gaps } = await read(`series=${product}-${bukavu},${product}-${goma}&startDate=${daysAgo(1)}`)
    expect(gaps).toHaveLength(1)
    expect(gaps[0]?.usual).toBeCloseTo(0, 9)
    expect(gaps[0]).toMatchObject({ product: 'Riz 25 kg', weight: '1kg' })
  })

  test('equals a computation from raw prices: means of days in both currencies, and gaps by medians of weeks', async () => {
    const products = [await insertProduct(db, { name: 'Sel' }), await insertProduct(db, { name: 'Maïs' })]
    const markets = [goma, bukavu, await insertMarket(db, { name: 'Nyawera', location: 'Nyawera' })]
    await setRate(db, { day: daysAgo(150), cdfPerUsd: 2300.5 })
    const drawn = fc.sample(
      fc.record({
        product_id: fc.constantFrom(...products),
        market_id: fc.constantFrom(...markets),
        // No quotes between two and three months ago.
        day: fc
          .integer({ min: 0, max: 290 })
          .filter((n) => n < 60 || n > 90)
          .map(daysAgo),
        price_value: fc.integer({ min: 900, max: 1400 }),
        isDollar: fc.boolean(),
        isSlip: fc.integer({ min: 0, max: 40 }).map((n) => n === 0),
      }),
      { numRuns: 500, seed: 21 },
    )
    const ids: number[] = []
    for (const { isDollar, isSlip, price_value, ...quote } of drawn)
      ids.push(
        await insertPrice(db, {
          ...quote,
          price_value: (isSlip ? 10 : 1) * (isDollar ? price_value / 2000 : price_value),
          currency: isDollar ? 'USD' : 'CDF',
        }),
      )
    await sql`delete from price where id = any(${ids.filter((_, i) => i % 9 === 0)})`.execute(db)
    const series = products.flatMap((one) => markets.map((market) => `${one}-${market}`))
    const quotes = sql`
      select product_id, market_id, observed_on, price_value * case currency when 'CDF' then 1 else rate end as cdf,
             price_value / case currency when 'CDF' then rate else 1 end as usd
        from price, lateral (select (
          select cdf_per_usd from exchange_rate where day <= observed_on order by day desc limit 1) as rate) r
       where product_id = any(${products})`
    for (const unit of ['CDF', 'USD']) {
      const { rows } = await sql<{ key: string; date: string; count: number; value: number }>`
        select product_id || '-' || market_id as key, observed_on::text as date, count(*)::int as count,
               avg(${sql.ref(unit.toLowerCase())})::float8 as value
          from (${quotes}) quote where observed_on >= ${daysAgo(200)} group by 1, 2 order by 1, 2`.execute(db)
      const { data } = await read(`series=${series.join(',')}&unit=${unit}&startDate=${daysAgo(200)}`)
      for (const one of data) {
        const own = rows.filter(({ key }) => key === `${one.product.id}-${one.market.id}`)
        expect(one.points).toEqual(
          own.map(({ date, count, value }) => ({ date, count, value: expect.closeTo(value, 6) })),
        )
        expect(one).toMatchObject({ count: sum(own.map(({ count }) => count)), lastDay: own.at(-1)?.date })
      }
    }
    const { rows } = await sql<{
      product: number
      one: number
      other: number
      now: number
      usual: number
      weeks: number
      unusual: boolean
    }>`
      with week as (
        select product_id, market_id, date_trunc('week', observed_on)::date as monday, avg(ln(cdf::float8)) as log
          from (${quotes}) quote group by 1, 2, 3),
      gap as (
        select a.product_id, a.market_id as one, b.market_id as other, monday, a.log - b.log as gap,
               max(monday) over (partition by a.product_id, a.market_id, b.market_id) as last
          from week a join week b using (product_id, monday) where a.market_id < b.market_id),
      usual as (
        select product_id, one, other, count(*)::int as weeks, percentile_cont(0.5) within group (order by gap) as usual
          from gap where monday < last and monday >= last - 364 group by 1, 2, 3),
      spread as (
        select product_id, one, other, 1.4826 * percentile_cont(0.5) within group (order by abs(gap - usual)) as spread
          from gap join usual using (product_id, one, other) where monday < last and monday >= last - 364 group by 1, 2, 3)
      select product_id as product, one, other, exp(gap) - 1 as now, exp(usual) - 1 as usual, weeks,
             abs(gap - usual) > greatest(ln(1.1), 2 * spread) as unusual
        from gap join usual using (product_id, one, other) join spread using (product_id, one, other)
       where monday = last and weeks >= 12`.execute(db)
    const { gaps } = await read(`series=${series.join(',')}`)
    expect(gaps).toHaveLength(rows.length)
    expect(rows.length).toBeGreaterThan(3)
    for (const { product: id, one, other, now, usual, weeks, unusual } of rows) {
      const shown = gaps.find(
        (gap) =>
          gap.productId === id && [gap.marketId, gap.otherId].sort().join() === [one, other].sort().join(),
      )
      // The more expensive market is named first.
      const turned = (value: number) => (now < 0 ? 1 / (1 + value) - 1 : value)
      expect(shown).toMatchObject({ weeks, isUnusual: unusual, marketId: now < 0 ? other : one })
      expect(shown?.now).toBeCloseTo(turned(now), 9)
      expect(shown?.usual).toBeCloseTo(turned(usual), 9)
    }
  })

  test('accepts at most six series, ignores deleted ones, and refuses a query without any', async () => {
    const names = (count: number) => Array.from({ length: count }, (_, i) => `${i + 1000}-1`).join(',')
    expect((await read(`series=${names(6)}`)).data).toEqual([])
    expect((await read('')).data).toEqual([])
    for (const series of [names(13), 'riz', '1-', '1-2,', '-1-2']) {
      const { status, body } = await reader.get(`/api/statistics/comparison?series=${series}`)
      expect([status, body]).toMatchObject([400, { errors: [{ field: 'series' }] }])
    }
    const reversed = await reader.get('/api/statistics/comparison?startDate=2026-02-01&endDate=2026-01-01')
    expect(reversed.status).toBe(400)
  })
})
