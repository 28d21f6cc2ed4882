import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import { getPriceAlerts } from '#features/dashboard/dashboard.contract.ts'
import {
  ofSeries,
  type PriceFilter,
  type PriceFilterName,
  priceFilterNames,
} from '#features/figures/filters/filters.contract.ts'
import { priceSummary } from '#features/figures/summary/summary.contract.ts'
import { readInflation } from '#features/inflation/inflation.contract.ts'
import { readPriceMap } from '#features/map/map.contract.ts'
import { prices } from '#features/prices/prices.contract.ts'
import { getOverview } from '#features/statistics/statistics.contract.ts'
import { dayMs } from '#shared/days.ts'
import { groupBy } from '#shared/group-by.ts'
import {
  insertBrand,
  insertCategory,
  insertMarket,
  insertProduct,
  insertType,
} from '../../../tests/support/catalogue.ts'
import { insertQuotes, localDay, type Place, quotes, zoneOf } from '../../../tests/support/random-prices.ts'
import { setRate } from '../../../tests/support/rates.ts'
import { testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const reader = await server.as('manager')

const [cereals, oils] = [await insertCategory(db, 'Céréales'), await insertCategory(db, 'Huiles')]
// The category of each type.
const categories = [cereals, oils, oils] as const
const types = [
  await insertType(db, { category_id: cereals, name: 'Riz' }),
  await insertType(db, { category_id: oils, name: 'Huile' }),
  await insertType(db, { category_id: oils, name: 'Mouture', kind: 'service' }),
] as const
const kinds = ['good', 'good', 'service'] as const
const brands = [await insertBrand(db, 'Bralima'), await insertBrand(db, 'Simba')] as const
const products = [
  { name: 'Riz Kwilu', code: 'RIZ-1', type: 0, brand: 0 },
  { name: 'Riz de Zando', code: 'RIZ-2', type: 0, brand: 1 },
  { name: 'Huile de palme', code: 'HUI-1', type: 1, brand: 0 },
  { name: 'Huile végétale 100 %', code: 'HUI_2', type: 1, brand: null },
  { name: 'Mouture du riz', code: 'MOU-1', type: 2, brand: null },
] as const
const markets = [
  { name: 'Zando', location: 'Kinshasa', province: 'Kongo-Central', timeZone: 'Africa/Kinshasa' },
  { name: 'Grand Marché', location: 'Kinshasa', province: 'BAS CONGO', timeZone: 'Africa/Kinshasa' },
  { name: 'Kenya', location: 'Lubumbashi', province: 'Pool', timeZone: 'Africa/Lubumbashi' },
] as const
const collectors = ['Amina Kalala', 'Élise Mbuyi', 'Paul Ngoy', 'Amina']
const productIds: number[] = []
for (const { name, code, type, brand } of products) {
  const brand_id = brand === null ? null : brands[brand]
  productIds.push(await insertProduct(db, { name, code, type_id: types[type], brand_id }))
}
const places: Place[] = []
for (const { name, location, province, timeZone } of markets) {
  places.push({ id: await insertMarket(db, { name, location, province, time_zone: timeZone }), timeZone })
}
const marketIds = places.map(({ id }) => id)

const [firstDay, days] = ['2026-01-01', 30]
const dayAfter = (n: number) => new Date(Date.parse(firstDay) + n * dayMs).toISOString().slice(0, 10)
const firstRate = dayAfter(4)
await setRate(db, { day: firstRate, cdfPerUsd: 2800 })
const [stored = []] = fc.sample(
  fc.array(quotes({ productIds, marketIds, collectors, firstDay, days }), {
    minLength: 190,
    maxLength: 190,
  }),
  { numRuns: 1, seed: 7 },
)
const ids = await insertQuotes(db, stored, places)

const words = [
  'riz',
  'ZANDO',
  'huile',
  'kwilu',
  'palme',
  'kinshasa',
  'vegetale',
  '100',
  '%',
  'hui_',
  'ri',
  'x',
]
const day = fc.integer({ min: -3, max: days + 3 }).map(dayAfter)
const amount = fc.integer({ min: 0, max: 10_000 })

const writers = await sql<{ id: number }>`select id from app_user order by id limit 2`.execute(db)
const writer = writers.rows.at(-1)?.id ?? 0
const writtenIds = new Set(ids.filter((_, n) => n % 3 === 0))
await sql`update price set written_by = ${writer} where id = any(${[...writtenIds]}::bigint[])`.execute(db)

type Stored = ReturnType<typeof describe>
const all = stored.map(describe)

/** Returns a price with every value that a filter may compare. */
function describe(quote: (typeof stored)[number], n: number) {
  const product = products[productIds.indexOf(quote.productId)]
  const market = markets[marketIds.indexOf(quote.marketId)]
  if (!product || !market) throw new Error('a quote of something unknown')
  const day = localDay(quote.collectedAt, zoneOf(quote.marketId, places))
  return { ...quote, id: ids[n] ?? 0, day, product, market }
}

type Asked<Name extends PriceFilterName> = NonNullable<PriceFilter[Name]>

/**
 * The condition of every filter on prices joined with their tables, without a rollup or an index; a missing filter does
 * not compile.
 */
const plainly: { [Name in PriceFilterName]: (value: Asked<Name>) => RawBuilder<boolean> } = {
  search: (letters) =>
    and(
      letters
        .split(' ')
        .map(
          (word) =>
            sql`(position(fold(${word}) in fold(product.code || ' ' || product.name)) > 0 or position(fold(${word}) in fold(market.name || ' ' || market.location)) > 0)`,
        ),
    ),
  productId: (id) => sql`price.product_id = ${id}::bigint`,
  categoryId: (id) => sql`product_type.category_id = ${id}`,
  typeId: (id) => sql`product.type_id = ${id}`,
  kind: (kind) => sql`product_type.kind = ${kind}`,
  brandId: (id) => sql`product.brand_id = ${id}`,
  marketId: (id) => sql`price.market_id = ${id}`,
  location: (location) => sql`fold(market.location) = fold(${location})`,
  province: (province) => sql`
    replace(regexp_replace(fold(market.province), '[ -]', '', 'g'), 'bascongo', 'kongocentral')
      = replace(regexp_replace(fold(${province}), '[ -]', '', 'g'), 'bascongo', 'kongocentral')`,
  minPrice: (least) => sql`price.price_value >= ${least}`,
  maxPrice: (most) => sql`price.price_value <= ${most}`,
  currency: (currency) => sql`price.currency = ${currency}`,
  collectorName: (letters) =>
    and(letters.split(' ').map((word) => sql`position(fold(${word}) in fold(price.collector_name)) > 0`)),
  collector: (name) => sql`price.collector_name = ${name}`,
  writtenBy: (id) => sql`price.written_by = ${id}::bigint`,
  startDate: (start) => sql`(price.collected_at at time zone market.time_zone)::date >= ${start}::date`,
  endDate: (end) => sql`(price.collected_at at time zone market.time_zone)::date <= ${end}::date`,
}

/**
 * Values to try for every filter, and the prices that match, computed the slowest way; a missing filter does not
 * compile.
 */
const filters: {
  [Name in PriceFilterName]: {
    values: fc.Arbitrary<Asked<Name>>
    holds: (price: Stored, value: Asked<Name>) => boolean
  }
} = {
  search: {
    values: fc
      .uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 3 })
      .map((some) => some.join(' ')),
    holds: ({ product, market }, letters) => {
      const texts = [`${product.code} ${product.name}`, `${market.name} ${market.location}`].map(fold)
      return wordsOf(letters).every((word) => texts.some((text) => text.includes(word)))
    },
  },
  productId: {
    values: fc.constantFrom(...productIds, 9_999_999_999),
    holds: ({ productId }, id) => productId === id,
  },
  categoryId: {
    values: fc.constantFrom(...categories),
    holds: ({ product }, id) => categories[product.type] === id,
  },
  typeId: { values: fc.constantFrom(...types), holds: ({ product }, id) => types[product.type] === id },
  kind: {
    values: fc.constantFrom('good', 'service', 'wage'),
    holds: ({ product }, kind) => kinds[product.type] === kind,
  },
  brandId: {
    values: fc.constantFrom(...brands),
    holds: ({ product }, id) => product.brand !== null && brands[product.brand] === id,
  },
  marketId: { values: fc.constantFrom(...marketIds), holds: ({ marketId }, id) => marketId === id },
  location: {
    values: fc.constantFrom('kinshasa', 'LUBUMBASHI', 'nulle part'),
    holds: ({ market }, location) => fold(market.location) === fold(location),
  },
  province: {
    values: fc.constantFrom('kongo central', 'Bas-Congo', 'POOL', 'Haut-Katanga'),
    holds: ({ market }, province) => provinceCalled(market.province) === provinceCalled(province),
  },
  minPrice: { values: amount, holds: ({ priceValue }, least) => priceValue >= least },
  maxPrice: { values: amount, holds: ({ priceValue }, most) => priceValue <= most },
  currency: { values: fc.constantFrom('CDF', 'USD'), holds: ({ currency }, asked) => currency === asked },
  collectorName: {
    values: fc.constantFrom('kalala', 'elise', 'mbuyi élise', 'ng', 'personne'),
    holds: ({ collectorName }, letters) =>
      wordsOf(letters).every((word) => fold(collectorName).includes(word)),
  },
  collector: {
    values: fc.constantFrom('Amina', 'Élise Mbuyi', 'amina'),
    holds: ({ collectorName }, name) => collectorName === name,
  },
  writtenBy: {
    values: fc.constantFrom(writer, 9_999_999_999),
    holds: ({ id }, by) => by === writer && writtenIds.has(id),
  },
  startDate: { values: day, holds: (price, start) => price.day >= start },
  endDate: { values: day, holds: (price, end) => price.day <= end },
}

// Each name's function takes that name's value, which the compiler does not infer for a variable name.
const holds = (price: Stored, name: PriceFilterName, value: unknown) =>
  (filters[name].holds as (price: Stored, value: unknown) => boolean)(price, value)
const chosen: fc.Arbitrary<PriceFilter> = fc
  .record(
    // `fromEntries` loses which name has which values.
    Object.fromEntries(priceFilterNames.map((name) => [name, filters[name].values])) as {
      [Name in PriceFilterName]: fc.Arbitrary<PriceFilter[Name]>
    },
    { requiredKeys: [] },
  )
  .filter(({ startDate = '', endDate = '9' }) => startDate <= endDate)
  .filter(({ minPrice = 0, maxPrice = Number.POSITIVE_INFINITY }) => minPrice <= maxPrice)
  // All filters together usually leave no price, so a few are drawn.
  .chain((all) =>
    fc
      .subarray(priceFilterNames, { maxLength: 4 })
      .map((names) =>
        Object.fromEntries(Object.entries(all).filter(([name]) => names.some((n) => n === name))),
      ),
  )

// One alert for each series, so that the alerts of a filter are counted by the series of its prices.
await sql`
  insert into price_alert (product_id, market_id, kind, log_change, shown, usual, last_day)
  select distinct product_id, market_id, 'outlier', 1, 1, 1, current_date from price`.execute(db)

test('whatever filters are combined, list, files, figures and chart cover the same prices', async () => {
  await fc.assert(
    fc.asyncProperty(chosen, async (query) => {
      const wanted = leftBy(query)
      const asked = paramsOf(query)
      const read = async (path: string) => {
        const answer = await reader.get(`/api/prices${path}${asked}`)
        expect(answer.status, answer.text).toBe(200)
        return answer
      }
      const list = prices.list.response.parse((await read('?limit=200&')).body)
      expect(list.pagination.total).toBe(wanted.length)
      expect(await countPlainly(query)).toBe(wanted.length)
      expect(sorted(list.data.map(({ id }) => id))).toEqual(sorted(wanted.map(({ id }) => id)))

      const file = (await read('/export?fileFormat=csv-machine&')).text.trim().split('\n').slice(1)
      expect(file).toHaveLength(wanted.length)

      const summary = priceSummary.parse((await read('/analytics/summary?')).body)
      // With several products, figures include only goods.
      const ofFigures = goodsOf(wanted, query)
      const counted = ofFigures.filter(isRated)
      expect([summary.totalPrices, summary.excluded]).toEqual([
        counted.length,
        ofFigures.length - counted.length,
      ])
      const perDay = [...groupBy(counted, ({ day }) => day)].map(([date, of]) => [date, of.length])
      expect(summary.dailyPrices.map(({ date, count }) => [date, count])).toEqual(perDay.toSorted())
      const overview = getOverview.response.parse(await of('/api/statistics/overview', query))
      expect(overview.prices.total).toBe(ofFigures.length)
      const dates = { startDate: dayAfter(-9), endDate: dayAfter(days + 9), ...query }
      const map = readPriceMap.response.parse(await of('/api/statistics/map', dates))
      expect(map.markets.reduce((sum, { prices }) => sum + prices, 0)).toBe(counted.length)

      const { startDate: _start, endDate: _end, ...undated } = query
      const inflation = readInflation.response.parse(await of('/api/statistics/inflation', undated))
      expect(inflation.basis.prices).toBe(goodsOf(leftBy(undated), undated).filter(isRated).length)

      const alerts = getPriceAlerts.response.parse(await of('/api/statistics/alerts', query))
      expect(alerts.total).toBe(seriesOf(leftBy(ofSeries(query))).size)

      const perCurrency = groupBy(counted, ({ currency }) => currency)
      for (const { currency, count } of summary.currencyDistribution)
        expect(count).toBe(perCurrency.get(currency)?.length)
      const perProduct = new Map(summary.productDistribution.map(({ id, count }) => [id, count]))
      expect(perProduct).toEqual(
        new Map([...groupBy(counted, (quote) => quote.productId)].map(([id, of]) => [id, of.length])),
      )
    }),
    { numRuns: 150, seed: 3 },
  )
})

async function countPlainly(query: PriceFilter): Promise<number> {
  const conditions = priceFilterNames.flatMap((name) => {
    const value = query[name]
    return value === undefined ? [] : [(plainly[name] as (value: unknown) => RawBuilder<boolean>)(value)]
  })
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
      from price join product on product.id = product_id join product_type on product_type.id = type_id
      join market on market.id = market_id
     where ${and(conditions)}`.execute(db)
  return rows[0]?.count ?? -1
}

function and(conditions: readonly RawBuilder<unknown>[]): RawBuilder<boolean> {
  return sql`${sql.join([sql`true`, ...conditions], sql` and `)}`
}

function leftBy(query: PriceFilter): Stored[] {
  return all.filter((price) =>
    priceFilterNames.every((name) => query[name] === undefined || holds(price, name, query[name])),
  )
}

function goodsOf(some: readonly Stored[], query: PriceFilter): Stored[] {
  return some.filter(({ productId }) => query.productId !== undefined || kindOf(productId) === 'good')
}

function isRated({ currency, day }: Stored): boolean {
  return currency === 'CDF' || day >= firstRate
}

function seriesOf(some: readonly Stored[]): Set<string> {
  return new Set(some.map(({ productId, marketId }) => `${productId} ${marketId}`))
}

function paramsOf(query: PriceFilter): URLSearchParams {
  return new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
}

async function of(path: string, query: PriceFilter): Promise<unknown> {
  const answer = await reader.get(`${path}?${paramsOf(query)}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

function kindOf(productId: number) {
  return kinds[products[productIds.indexOf(productId)]?.type ?? 0]
}

/** Normalises a province's name: without spaces and hyphens, and with its present name. */
function provinceCalled(written: string): string {
  const letters = fold(written).replaceAll(/[ -]/g, '')
  return letters === 'bascongo' ? 'kongocentral' : letters
}

function wordsOf(letters: string): string[] {
  return fold(letters).split(' ')
}

function fold(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase()
}

function sorted(numbers: number[]): number[] {
  return numbers.toSorted((a, b) => a - b)
}
