import fc from 'fast-check'
import { expect, test } from 'vitest'
import { prices } from '#features/prices/prices.contract.ts'
import { priceSummary } from '#features/prices/summary/summary.contract.ts'
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
// By type.
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
const dayAfter = (n: number) => new Date(Date.parse(firstDay) + n * 86_400_000).toISOString().slice(0, 10)
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

type Chosen = {
  search?: string
  productId?: number
  categoryId?: number
  typeId?: number
  kind?: 'good' | 'service' | 'wage'
  brandId?: number
  marketId?: number
  location?: string
  province?: string
  minPrice?: number
  maxPrice?: number
  currency?: 'CDF' | 'USD'
  collectorName?: string
  collector?: string
  startDate?: string
  endDate?: string
}

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
const chosen: fc.Arbitrary<Chosen> = fc
  .record(
    {
      search: fc
        .uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 3 })
        .map((some) => some.join(' ')),
      productId: fc.constantFrom(...productIds, 9_999_999_999),
      categoryId: fc.constantFrom(...categories),
      typeId: fc.constantFrom(...types),
      kind: fc.constantFrom('good' as const, 'service' as const, 'wage' as const),
      brandId: fc.constantFrom(...brands),
      marketId: fc.constantFrom(...marketIds),
      location: fc.constantFrom('kinshasa', 'LUBUMBASHI', 'nulle part'),
      province: fc.constantFrom('kongo central', 'Bas-Congo', 'POOL', 'Haut-Katanga'),
      minPrice: amount,
      maxPrice: amount,
      currency: fc.constantFrom('CDF' as const, 'USD' as const),
      collectorName: fc.constantFrom('kalala', 'elise', 'mbuyi élise', 'ng', 'personne'),
      collector: fc.constantFrom('Amina', 'Élise Mbuyi', 'amina'),
      startDate: day,
      endDate: day,
    },
    { requiredKeys: [] },
  )
  .filter(({ startDate = '', endDate = '9' }) => startDate <= endDate)
  .filter(({ minPrice = 0, maxPrice = Number.POSITIVE_INFINITY }) => minPrice <= maxPrice)

test('whatever is chosen together, list, files, figures and chart are about the same prices', async () => {
  await fc.assert(
    fc.asyncProperty(chosen, async (query) => {
      const wanted = stored
        .map((quote, n) => ({
          ...quote,
          id: ids[n] ?? 0,
          day: localDay(quote.collectedAt, zoneOf(quote.marketId, places)),
        }))
        .filter((quote) => isWanted(quote, query))
      const asked = new URLSearchParams(
        Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
      )
      const read = async (path: string) => {
        const answer = await reader.get(`/api/prices${path}${asked}`)
        expect(answer.status, answer.text).toBe(200)
        return answer
      }
      const list = prices.list.response.parse((await read('?limit=200&')).body)
      expect(list.pagination.total).toBe(wanted.length)
      expect(sorted(list.data.map(({ id }) => id))).toEqual(sorted(wanted.map(({ id }) => id)))

      const file = (await read('/export?fileFormat=csv-machine&')).text.trim().split('\n').slice(1)
      expect(file).toHaveLength(wanted.length)

      const summary = priceSummary.parse((await read('/analytics/summary?')).body)
      // Of several products, figures take goods only.
      const ofFigures = wanted.filter(
        ({ productId }) => query.productId !== undefined || kindOf(productId) === 'good',
      )
      const counted = ofFigures.filter(({ currency, day }) => currency === 'CDF' || day >= firstRate)
      expect([summary.totalPrices, summary.excluded]).toEqual([
        counted.length,
        ofFigures.length - counted.length,
      ])
      const perDay = [...Map.groupBy(counted, ({ day }) => day)].map(([date, of]) => [date, of.length])
      expect(summary.dailyPrices.map(({ date, count }) => [date, count])).toEqual(perDay.toSorted())
      const perCurrency = Map.groupBy(counted, ({ currency }) => currency)
      for (const { currency, count } of summary.currencyDistribution)
        expect(count).toBe(perCurrency.get(currency)?.length)
      const perProduct = new Map(summary.productDistribution.map(({ id, count }) => [id, count]))
      expect(perProduct).toEqual(
        new Map([...Map.groupBy(counted, (quote) => quote.productId)].map(([id, of]) => [id, of.length])),
      )
    }),
    { numRuns: 150, seed: 3 },
  )
}, 120_000)

/** The same choice, made by the slowest way. */
function isWanted(quote: (typeof stored)[number] & { day: string }, query: Chosen): boolean {
  const product = products[productIds.indexOf(quote.productId)]
  const market = markets[marketIds.indexOf(quote.marketId)]
  if (!product || !market) throw new Error('a quote of something unknown')
  const [ofProduct, ofMarket] = [`${product.code} ${product.name}`, `${market.name} ${market.location}`].map(
    fold,
  )
  const isIn = (text: string, letters: string) => wordsOf(letters).every((word) => text.includes(word))
  const { search, productId, categoryId, typeId, kind, brandId, marketId, location, province } = query
  const { currency, collectorName, collector } = query
  return [
    !search || wordsOf(search).every((word) => ofProduct?.includes(word) || ofMarket?.includes(word)),
    productId === undefined || productId === quote.productId,
    categoryId === undefined || categories[product.type] === categoryId,
    typeId === undefined || types[product.type] === typeId,
    kind === undefined || kinds[product.type] === kind,
    brandId === undefined || (product.brand !== null && brands[product.brand] === brandId),
    marketId === undefined || marketId === quote.marketId,
    location === undefined || fold(location) === fold(market.location),
    province === undefined || provinceCalled(province) === provinceCalled(market.province),
    quote.priceValue >= (query.minPrice ?? 0),
    quote.priceValue <= (query.maxPrice ?? Number.POSITIVE_INFINITY),
    currency === undefined || currency === quote.currency,
    collectorName === undefined || isIn(fold(quote.collectorName), collectorName),
    collector === undefined || collector === quote.collectorName,
    quote.day >= (query.startDate ?? ''),
    quote.day <= (query.endDate ?? '9'),
  ].every(Boolean)
}

function kindOf(productId: number) {
  return kinds[products[productIds.indexOf(productId)]?.type ?? 0]
}

/** Without spaces and hyphens, and by its name of today. */
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
