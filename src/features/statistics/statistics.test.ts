import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { dayMs } from '#shared/days.ts'
import {
  insertBrand,
  insertCategory,
  insertMarket,
  insertProduct,
  insertType,
} from '../../../tests/support/catalogue.ts'
import { daysAgo } from '../../../tests/support/market-days.ts'
import { insertQuotes, type Place, quotes } from '../../../tests/support/random-prices.ts'
import { setRate } from '../../../tests/support/rates.ts'
import { testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const reader = await server.as('manager')

const categoryIds = [await insertCategory(db), await insertCategory(db), await insertCategory(db, 'Vide')]
const brandIds = [await insertBrand(db), await insertBrand(db), await insertBrand(db)]
const productIds: number[] = []
for (const [category, brand] of [
  [0, 0],
  [0, 1],
  [1, 1],
  [1, null],
] as const) {
  const type_id = await insertType(db, { category_id: categoryIds[category] ?? 0 })
  productIds.push(
    await insertProduct(db, { type_id, brand_id: brand === null ? null : (brandIds[brand] ?? 0) }),
  )
}
const places: Place[] = [
  { id: await insertMarket(db), timeZone: 'Africa/Kinshasa' },
  { id: await insertMarket(db, { time_zone: 'Africa/Lubumbashi' }), timeZone: 'Africa/Lubumbashi' },
  { id: await insertMarket(db), timeZone: 'Africa/Kinshasa' },
]
const marketIds = places.map(({ id }) => id)
const firstDay = '2026-01-01'
const days = 60
const dayAt = (n: number) => new Date(Date.parse(firstDay) + n * dayMs).toISOString().slice(0, 10)

type Query = Partial<Record<'productId' | 'categoryId' | 'brandId' | 'marketId', number>> & {
  currency?: string
  startDate?: string
  endDate?: string
}

async function ask(path: string, query: object) {
  const texts = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
  const answer = await reader.get(`/api/statistics/${path}?${new URLSearchParams(texts)}`)
  expect(answer.status, answer.text).toBe(200)
  return Object(answer.body)
}

/** Returns a condition on raw prices, joined with their product and its type, without any code of the program. */
function where(query: Query) {
  const { productId, categoryId, brandId, marketId, currency, startDate, endDate } = query
  return sql`(${productId ?? null}::int is null or p.product_id = ${productId ?? null})
    and (${categoryId ?? null}::int is null or t.category_id = ${categoryId ?? null})
    and (${brandId ?? null}::int is null or g.brand_id = ${brandId ?? null})
    and (${marketId ?? null}::int is null or p.market_id = ${marketId ?? null})
    and (${currency ?? null}::text is null or p.currency = ${currency ?? null})
    and p.observed_on between ${startDate ?? '1900-01-01'} and ${endDate ?? '2200-01-01'}`
}
const raw = sql`price p join product g on g.id = p.product_id join product_type t on t.id = g.type_id`

async function plainly<Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> {
  return (await query.execute(db)).rows
}

/** Returns the query of the same number of days before; undefined without a first day. */
function earlierOf(query: Query, today: string): Query | undefined {
  if (!query.startDate) return undefined
  const end = query.endDate ?? (query.startDate > today ? query.startDate : today)
  const length = (Date.parse(end) - Date.parse(query.startDate)) / dayMs + 1
  const first = Date.parse(query.startDate)
  return {
    ...query,
    startDate: new Date(first - length * dayMs).toISOString().slice(0, 10),
    endDate: new Date(first - dayMs).toISOString().slice(0, 10),
  }
}

const change = (now: number, then: number | undefined) => (then ? ((now - then) / then) * 100 : null)
const nearly = (value: number | null) => (value === null ? null : expect.closeTo(value, 6))

describe('on random prices with gaps, dollars, outliers and deletions', () => {
  // Each filter is in one selection of four: all together they leave no price to count.
  const seldom = <Value>(value: fc.Arbitrary<Value>) =>
    fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })
  const cases: Query[] = fc
    .sample(
      fc
        .record({
          productId: seldom(fc.constantFrom(...productIds)),
          categoryId: seldom(fc.constantFrom(...categoryIds)),
          brandId: seldom(fc.constantFrom(...brandIds)),
          marketId: seldom(fc.constantFrom(...marketIds)),
          currency: seldom(fc.constantFrom('CDF', 'USD')),
          startDate: fc.option(fc.integer({ min: -3, max: days }).map(dayAt), { nil: undefined, freq: 3 }),
          endDate: seldom(fc.integer({ min: -3, max: days }).map(dayAt)),
        })
        .filter(({ startDate = '', endDate = '9' }) => startDate <= endDate),
      { numRuns: 40, seed: 11 },
    )
    .map((query) => Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)))
  const all: Query[] = [{}, { startDate: dayAt(30), endDate: dayAt(44) }, ...cases]
  const today = daysAgo(0)

  beforeAll(async () => {
    for (const n of [2, 20, 41]) await setRate(db, { day: dayAt(n), cdfPerUsd: 2000 + 13 * n })
    const stored = fc
      .sample(quotes({ productIds, marketIds, collectors: ['Amina', 'Bola'], firstDay, days }), {
        numRuns: 600,
        seed: 7,
      })
      // No quotes for ten days, and typing errors.
      .filter(
        ({ collectedAt }) =>
          collectedAt.getTime() < Date.parse(dayAt(18)) || collectedAt.getTime() > Date.parse(dayAt(28)),
      )
      .map((quote, i) => (i % 37 === 0 ? { ...quote, priceValue: quote.priceValue * 1000 } : quote))
    const ids = await insertQuotes(db, stored, places)
    await sql`delete from price where id = any(${ids.filter((_, i) => i % 11 === 0)})`.execute(db)
    await sql`update price set price_value = price_value * 2, market_id = ${marketIds[0]}
               where id = any(${ids.filter((_, i) => i % 23 === 0)})`.execute(db)
    for (const table of ['product', 'market', 'app_user'])
      await sql`update ${sql.table(table)} set created_at = timestamptz '2025-12-20 23:30Z' + id * interval '7 days'`.execute(
        db,
      )
  })

  test('the overview counts the prices of a selection and how they changed', async () => {
    for (const query of all) {
      const count = async (asked: Query) =>
        (
          await plainly(sql<{ n: number; last: Date | null }>`
          select count(*)::int as n, max(p.collected_at) as last from ${raw} where ${where(asked)}`)
        )[0]
      const now = await count(query)
      const then = earlierOf(query, today)
      expect(await ask('overview', query), JSON.stringify(query)).toMatchObject({
        prices: {
          total: now?.n,
          change: nearly(then ? change(now?.n ?? 0, (await count(then))?.n) : null),
          lastCollectedAt: now?.last ? new Date(now.last).toISOString() : null,
        },
      })
    }
  })

  test('the overview counts the selected catalogue, and its rows created during the days', async () => {
    for (const query of all) {
      const { productId, categoryId, brandId, marketId, startDate, endDate } = query
      const among = sql`from product g join product_type t on t.id = g.type_id
        where (${productId ?? null}::int is null or g.id = ${productId ?? null})
          and (${categoryId ?? null}::int is null or t.category_id = ${categoryId ?? null})
          and (${brandId ?? null}::int is null or g.brand_id = ${brandId ?? null})`
      const dayOf = (at: string) => sql`(${sql.ref(at)} at time zone 'Africa/Kinshasa')::date`
      const older = (at: string) =>
        sql`count(*) filter (where ${dayOf(at)} < ${startDate ?? '1900-01-01'}::date)::int`
      const atEnd = (at: string) =>
        sql`count(*) filter (where ${dayOf(at)} <= ${endDate ?? '9999-12-31'}::date)::int`
      const [plain] = await plainly(sql<Record<string, number>>`
        select (select count(*)::int ${among}) as products, (select ${older('g.created_at')} ${among}) as "products before",
               (select ${atEnd('g.created_at')} ${among}) as "products at end",
               (select count(distinct t.category_id)::int ${among}) as categories,
               (select count(distinct g.brand_id)::int ${among}) as brands, (select count(distinct t.id)::int ${among}) as types,
               (select count(*)::int from market m where m.id = coalesce(${marketId ?? null}, m.id)) as markets,
               (select ${older('m.created_at')} from market m where m.id = coalesce(${marketId ?? null}, m.id)) as "markets before",
               (select ${atEnd('m.created_at')} from market m where m.id = coalesce(${marketId ?? null}, m.id)) as "markets at end",
               (select count(*)::int from app_user) as users,
               (select ${atEnd('u.created_at')} from app_user u) as "users at end",
               (select ${older('u.created_at')} from app_user u) as "users before"`)
      const grown = (name: string) => ({
        total: plain?.[name],
        change: nearly(startDate ? change(plain?.[`${name} at end`] ?? 0, plain?.[`${name} before`]) : null),
      })
      const isWhole = !productId && !categoryId && !brandId
      expect(await ask('overview', query), JSON.stringify(query)).toMatchObject({
        products: grown('products'),
        markets: grown('markets'),
        users: grown('users'),
        categories: { total: isWhole ? categoryIds.length : plain?.categories },
        brands: { total: isWhole ? brandIds.length : plain?.brands },
        productTypes: { total: plain?.types },
      })
    }
  })

  test('the dashboard ranks products and collectors, lists the last prices and sums up the selection', async () => {
    for (const chosen of all) {
      const query = { startDate: dayAt(-3), endDate: dayAt(days), ...chosen }
      const then = earlierOf(query, today) ?? {}
      const countProducts = (asked: Query) =>
        plainly(sql<{ id: number; n: number; last: string }>`
          select p.product_id as id, count(*)::int as n, max(p.observed_on)::text as last
            from ${raw} where ${where(asked)} group by 1 order by 2 desc, 1`)
      const earlier = await countProducts(then)
      const collectors = await plainly(sql<{ name: string; count: number; last: Date }>`
        select p.collector_name as name, count(*)::int as count, max(p.collected_at) as last
          from ${raw} where ${where(query)} group by 1 order by 2 desc, 1 limit 5`)
      const latest = await plainly(sql<{ id: number }>`
        select p.id from ${raw} where ${where(query)} order by p.observed_on desc, p.collected_at desc, p.id desc limit 6`)
      const [sums] = await plainly(sql<
        Record<'n' | 'cdf' | 'usd' | 'excluded' | 'mean' | 'lowest' | 'highest', number>
      >`
        select count(rate)::int as n, count(rate) filter (where p.currency = 'CDF')::int as cdf,
               count(rate) filter (where p.currency = 'USD')::int as usd, count(*) filter (where rate is null)::int as excluded,
               avg(p.price_value * rate)::float8 as mean, min(p.price_value * rate)::float8 as lowest,
               max(p.price_value * rate)::float8 as highest
          from ${raw}, lateral (
            select case when p.currency = 'CDF' then 1 else (
              select cdf_per_usd from exchange_rate where day <= p.observed_on order by day desc limit 1) end as rate) r
         where ${where(query)}`)
      const shown = await ask('dashboard', query)
      expect(shown.products, JSON.stringify(query)).toMatchObject(
        (await countProducts(query)).slice(0, 6).map(({ id, n, last }) => ({
          id,
          count: n,
          lastCollectedOn: last,
          change: nearly(change(n, earlier.find((each) => each.id === id)?.n)),
        })),
      )
      expect(shown.collectors).toEqual(
        collectors.map(({ name, count, last }) => ({
          name,
          count,
          lastCollectedAt: new Date(last).toISOString(),
        })),
      )
      expect(shown.latest.map(({ id }: { id: number }) => id)).toEqual(latest.map(({ id }) => id))
      expect(shown.analysis).toMatchObject({
        totalPrices: sums?.n,
        excluded: sums?.excluded,
        averagePrice: nearly(sums?.mean ?? null),
        minPrice: nearly(sums?.lowest ?? null),
        maxPrice: nearly(sums?.highest ?? null),
        currencyDistribution: [
          { currency: 'CDF', count: sums?.cdf },
          { currency: 'USD', count: sums?.usd },
        ].filter(({ count }) => count),
      })
    }
  })

  test('the most active markets are those with most prices in the selection', async () => {
    for (const query of all) {
      const count = (asked: Query) =>
        plainly(sql<{ id: number; n: number; last: string }>`
          select p.market_id as id, count(*)::int as n, max(p.observed_on)::text as last
            from ${raw} where ${where(asked)} group by 1 order by 2 desc, 1`)
      const then = earlierOf(query, today)
      const earlier = then && (await count(then))
      const expected = (await count(query)).map(({ id, n, last }) => ({
        id,
        count: n,
        lastCollectedOn: last,
        change: nearly(earlier ? change(n, earlier.find((each) => each.id === id)?.n) : null),
      }))
      const { data } = await ask('markets/activity', query)
      expect(data, JSON.stringify(query)).toMatchObject(expected)
      expect(data).toHaveLength(expected.length)
    }
  })

  test('prices/trends gives the mean of each day in francs at the rate of the day', async () => {
    for (const query of all) {
      const expected = await plainly(sql<{ date: string; count: number; mean: number }>`
        select p.observed_on::text as date, count(*)::int as count, avg(p.price_value * r.rate)::float8 as mean
          from ${raw}, lateral (
            select case when p.currency = 'CDF' then 1 else (
              select cdf_per_usd from exchange_rate where day <= p.observed_on order by day desc limit 1) end as rate) r
         where ${where(query)} and r.rate is not null group by 1 order by 1`)
      const { data } = await ask('prices/trends', query)
      expect(data, JSON.stringify(query)).toEqual(
        expected.map(({ date, count, mean }) => ({ date, count, averagePrice: nearly(mean) })),
      )
    }
  })

  test.each([
    ['categories/distribution', 'category', 't.category_id'],
    ['brands/ranking', 'brand', 'g.brand_id'],
  ] as const)('%s counts products, those with prices, and prices', async (path, table, key) => {
    for (const query of all) {
      const { productId, categoryId, brandId } = query
      const expected = await plainly(sql<{ id: number; count: number; monitored: number; prices: number }>`
        select s.id, (select count(*)::int from product g join product_type t on t.id = g.type_id
                       where ${sql.ref(key)} = s.id and (${productId ?? null}::int is null or g.id = ${productId ?? null})
                         and (${categoryId ?? null}::int is null or t.category_id = ${categoryId ?? null})
                         and (${brandId ?? null}::int is null or g.brand_id = ${brandId ?? null})) as count,
               (select count(distinct p.product_id)::int from ${raw} where ${where(query)} and ${sql.ref(key)} = s.id) as monitored,
               (select count(*)::int from ${raw} where ${where(query)} and ${sql.ref(key)} = s.id) as prices
          from ${sql.table(table)} s`)
      const { data } = (await ask(path, { ...query, limit: 50 })) as { data: { id: number; count: number }[] }
      const byId = (a: { id: number }, b: { id: number }) => a.id - b.id
      const isWhole = !productId && !categoryId && !brandId
      const listed = expected.filter(({ count }) => count > 0 || (isWhole && table === 'category'))
      expect(data.toSorted(byId), JSON.stringify(query)).toMatchObject(listed.toSorted(byId))
      expect(data).toHaveLength(listed.length)
      expect(data.map(({ count }) => count)).toEqual(data.map(({ count }) => count).sort((a, b) => b - a))
    }
  })
})

test('a period has a name and explicit days take precedence; a query without days compares nothing', async () => {
  const named = await ask('overview', { period: '30d' })
  const { startDate, endDate, previous } = Object(named).days
  expect((Date.parse(endDate) - Date.parse(startDate)) / dayMs).toBe(29)
  expect((Date.parse(startDate) - Date.parse(previous.endDate)) / dayMs).toBe(1)
  expect((Date.parse(previous.endDate) - Date.parse(previous.startDate)) / dayMs).toBe(29)
  const dated = await ask('overview', { period: '30d', startDate: '2026-01-01', endDate: '2026-01-01' })
  expect(dated).toMatchObject({ days: { previous: { startDate: '2025-12-31', endDate: '2025-12-31' } } })
  expect(await ask('overview', {})).toMatchObject({
    days: null,
    prices: { change: null },
    products: { change: null },
  })
  expect(await reader.get('/api/statistics/overview?period=2d')).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'period' }] },
  })
})

test('the growth of the catalogue is its additions in a period over its former size', async () => {
  await sql`update product set created_at = '2026-01-10' where id = ${productIds[0]}`.execute(db)
  await sql`update product set created_at = '2025-01-10' where id <> ${productIds[0]}`.execute(db)
  const { products, categories } = Object(
    await ask('overview', { startDate: '2026-01-05', endDate: '2026-01-20' }),
  )
  expect(products).toEqual({ total: 4, change: expect.closeTo(100 / 3), difference: 1 })
  // Products added after the period are not counted, neither before it nor at its end.
  const before = Object(await ask('overview', { startDate: '2025-01-01', endDate: '2025-01-31' }))
  expect(before.products).toEqual({ total: 4, change: null, difference: 3 })
  expect(categories).toEqual({ total: 3 })
  expect(await ask('overview', { categoryId: categoryIds[0] })).toMatchObject({
    products: { total: 2 },
    categories: { total: 1 },
    brands: { total: 2 },
    productTypes: { total: 2 },
  })
})

test('for several products, every statistic includes only goods; for one, any kind', async () => {
  const category = await insertCategory(db)
  const brand_id = await insertBrand(db)
  const kinds = ['good', 'wage', 'service', 'rate'] as const
  const ids: number[] = []
  for (const kind of kinds) {
    ids.push(
      await insertProduct(db, { type_id: await insertType(db, { category_id: category, kind }), brand_id }),
    )
  }
  const [good = 0, wage = 0] = ids
  await sql`
    insert into price (product_id, market_id, price_value, collector_name, collected_at, observed_on)
    select product_id, ${marketIds[0]}, 1000 * product_id, 'Zoé', day + time '10:00', day::date
      from unnest(${ids}::int[]) product_id, generate_series(date '2026-06-01', date '2026-06-28', '1 day') day`.execute(
    db,
  )
  const query = { startDate: '2026-06-01', endDate: '2026-06-28' }
  const countedOf = async (path: string, asked: object) =>
    Object(await ask(path, { limit: 50, ...asked })).data.reduce(
      (sum: number, { count, prices = count }: { count: number; prices?: number }) => sum + prices,
      0,
    )
  for (const [asked, count, mean] of [
    [query, 28, 1000 * good],
    [{ ...query, categoryId: category }, 28, 1000 * good],
    [{ ...query, brandId: brand_id, marketId: marketIds[0] }, 28, 1000 * good],
    [{ ...query, productId: wage }, 28, 1000 * wage],
  ] as const) {
    expect((await ask('overview', asked)).prices.total).toBe(count)
    expect(await ask('prices/trends', asked)).toMatchObject({ totalPrices: count })
    expect((await ask('prices/trends', asked)).data[0].averagePrice).toBe(mean)
    for (const path of ['markets/activity', 'categories/distribution', 'brands/ranking']) {
      expect(await countedOf(path, asked), path).toBe(count)
    }
    const { overview, analysis, products, collectors, markets } = await ask('dashboard', asked)
    expect(overview.prices.total).toBe(count)
    expect(analysis).toMatchObject({ totalPrices: count, averagePrice: mean, minPrice: mean, maxPrice: mean })
    expect(collectors).toMatchObject([{ name: 'Zoé', count }])
    expect(markets).toMatchObject([{ id: marketIds[0], count }])
    expect(products).toMatchObject([{ id: 'productId' in asked ? wage : good, count }])
  }
  await sql`update product_type set kind = 'good' where kind <> 'good'`.execute(db)
  expect((await ask('overview', query)).prices.total).toBe(4 * 28)
})
