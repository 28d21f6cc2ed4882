import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { summarisePrices } from '#features/figures/summary/summary.contract.ts'
import { prices } from '#features/prices/prices.contract.ts'
import { groupBy } from '#shared/group-by.ts'
import {
  insertCategory,
  insertMarket,
  insertProduct,
  insertType,
} from '../../../../tests/support/catalogue.ts'
import {
  insertQuotes,
  localDay,
  type Place,
  type Quote,
  quotes,
  zoneOf,
} from '../../../../tests/support/random-prices.ts'
import { type Answer, insertAccount, testServer } from '../../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const reader = await server.as('manager')

const categories = [await insertCategory(db), await insertCategory(db)]
const typeIds = await Promise.all(categories.map((category_id) => insertType(db, { category_id })))
const products = await Promise.all(
  ['Maïs blanc', 'Riz local', 'Manioc', 'Huile 100 %'].map(async (name, i) => {
    const code = `CODE-${i}_é`
    const id = await insertProduct(db, { name, code, type_id: typeIds[i % 2] ?? 0 })
    return { id, name, code, category: categories[i % 2], type: typeIds[i % 2] }
  }),
)
const markets = await Promise.all(
  (['Kinshasa', 'Lubumbashi', 'Kinshasa'] as const).map(async (zone, i) => {
    const name = ['Marché Mais', 'Kenya', 'Été_neuf'][i] ?? ''
    const timeZone: Place['timeZone'] = `Africa/${zone}`
    return { id: await insertMarket(db, { name, time_zone: timeZone }), name, location: 'Kinshasa', timeZone }
  }),
)
const collectors = ['Amina', 'amína', 'Amina Kabeya', 'Zoé']

const sample = fc.sample(
  quotes({
    productIds: products.map(({ id }) => id),
    marketIds: markets.map(({ id }) => id),
    collectors,
    firstDay: '2026-01-01',
    days: 6,
  }),
  { numRuns: 600, seed: 1 },
)
const ids = await insertQuotes(db, sample, markets)
const writers = [await insertAccount(db, { roles: [] }), await insertAccount(db, { roles: [] })]
const writerOf = (i: number) => [...writers, null][i % 3] ?? null
for (const writer of writers) {
  const own = ids.filter((_, i) => writerOf(i) === writer)
  await db.updateTable('price').set({ written_by: writer }).where('id', 'in', own).execute()
}
const stored = sample.map((quote, i) => ({
  ...quote,
  writtenBy: writerOf(i),
  id: ids[i] ?? 0,
  day: localDay(quote.collectedAt, zoneOf(quote.marketId, markets)),
}))

type Query = Partial<Record<keyof (typeof prices.list.query)['_zod']['input'], string | number>>

async function list(query: Query) {
  const texts = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
  return reader.get(`/api/prices?${new URLSearchParams(texts)}`)
}
const read = (answer: Answer) => prices.list.response.parse(answer.body)

const fold = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** Returns the expected list without its pages: every filter in its plainest form. */
function expected(query: Query) {
  const words = fold(String(query.search)).split(' ')
  const isWanted = (price: (typeof stored)[number]) => {
    const product = products.find(({ id }) => id === price.productId)
    const market = markets.find(({ id }) => id === price.marketId)
    return (
      (query.productId === undefined || price.productId === query.productId) &&
      (query.marketId === undefined || price.marketId === query.marketId) &&
      (query.categoryId === undefined || product?.category === query.categoryId) &&
      (query.typeId === undefined || product?.type === query.typeId) &&
      (query.currency === undefined || price.currency === query.currency) &&
      (query.writtenBy === undefined || price.writtenBy === query.writtenBy) &&
      (query.minPrice === undefined || price.priceValue >= Number(query.minPrice)) &&
      (query.maxPrice === undefined || price.priceValue <= Number(query.maxPrice)) &&
      (query.startDate === undefined || price.day >= query.startDate) &&
      (query.endDate === undefined || price.day <= query.endDate) &&
      (query.collectorName === undefined ||
        fold(String(query.collectorName))
          .split(' ')
          .every((word) => fold(price.collectorName).includes(word))) &&
      (query.search === undefined ||
        words.every((word) =>
          [`${product?.code} ${product?.name}`, `${market?.name} ${market?.location}`].some((text) =>
            fold(text).includes(word),
          ),
        ))
    )
  }
  const sort = String(query.sort ?? '-observedOn')
  const factor = sort.startsWith('-') ? -1 : 1
  return stored.filter(isWanted).sort((a, b) => {
    const byColumn = sort.endsWith('priceValue')
      ? a.priceValue - b.priceValue
      : a.day < b.day
        ? -1
        : a.day > b.day
          ? 1
          : a.collectedAt.getTime() - b.collectedAt.getTime()
    return factor * (byColumn || a.id - b.id)
  })
}

const day = fc
  .integer({ min: -1, max: 13 })
  .map((n) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10))
const price = fc.integer({ min: 0, max: 1_050_000 }).map((cents) => cents / 100)
const filters = fc.record({
  productId: fc.constantFrom(...products.map(({ id }) => id)),
  marketId: fc.constantFrom(...markets.map(({ id }) => id)),
  categoryId: fc.constantFrom(...categories),
  typeId: fc.constantFrom(...typeIds),
  currency: fc.constantFrom('CDF', 'USD'),
  writtenBy: fc.constantFrom(...writers, 9_999_999_999),
  minPrice: price,
  maxPrice: price,
  startDate: day,
  endDate: day,
  collectorName: fc.constantFrom('AMINA', 'zoe', 'Kabeya amina', 'o', 'personne'),
  search: fc.constantFrom(
    'mais',
    'MAÏS',
    'marché',
    'riz',
    'ete_',
    '%',
    'code-',
    'kinshasa',
    'introuvable',
    'blanc mais',
    'mais marche',
    'kenya riz',
    'riz mais',
    'kinshasa manioc ete',
    'local kenya introuvable',
    'o i k',
  ),
  sort: fc.constantFrom('observedOn', '-observedOn', 'priceValue', '-priceValue'),
  limit: fc.integer({ min: 1, max: 40 }),
  page: fc.integer({ min: 1, max: 5 }),
})
const narrowing = [
  'productId',
  'marketId',
  'categoryId',
  'typeId',
  'currency',
  'writtenBy',
  'minPrice',
  'maxPrice',
  'startDate',
  'endDate',
  'collectorName',
]
// A few filters at a time: many together leave nothing to list.
const queries: fc.Arbitrary<Query> = fc
  .tuple(filters, fc.subarray(narrowing, { maxLength: 3 }), fc.subarray(['search', 'sort', 'limit', 'page']))
  .map(([all, ...chosen]) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => chosen.flat().includes(name))),
  )
  .filter(({ startDate = '', endDate = '9' }) => startDate <= endDate)

describe('the list of prices', () => {
  test('equals a plain computation from every price, for any combination of filters, order and page', async () => {
    const check = async (query: Query) => {
      const { limit = 10, page = 1 } = query
      const all = expected(query)
      const { data, pagination } = read(await list(query))
      const total = all.length
      expect(pagination).toEqual({ page, limit, total, pages: Math.ceil(total / Number(limit)) })
      const start = (Number(page) - 1) * Number(limit)
      expect(data.map(({ id }) => id)).toEqual(all.slice(start, start + Number(limit)).map(({ id }) => id))
    }
    await fc.assert(fc.asyncProperty(queries, check), { numRuns: 400, seed: 2 })
  })

  test('has the same prices as its summary and its daily figures, whatever filters are combined', async () => {
    const check = async ({ sort: _, limit: __, page: ___, ...query }: Query) => {
      const texts = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
      const { body } = await reader.get(`/api/prices/analytics/summary?${new URLSearchParams(texts)}`)
      const summary = summarisePrices.response.parse(body)
      const all = expected(query)
      const inCdf = all.filter(({ currency }) => currency === 'CDF')
      expect([summary.totalPrices, summary.excluded]).toEqual([inCdf.length, all.length - inCdf.length])
      const amounts = inCdf.map(({ priceValue }) => priceValue)
      if (amounts.length === 0) return
      expect([summary.minPrice, summary.maxPrice]).toEqual([Math.min(...amounts), Math.max(...amounts)])
      const perDay = groupBy(inCdf, ({ day }) => day)
      expect(new Map(summary.dailyPrices.map(({ date, count }) => [date, count]))).toEqual(
        new Map([...perDay].map(([date, { length }]) => [date, length])),
      )
    }
    await fc.assert(fc.asyncProperty(queries, check), { numRuns: 150, seed: 3 })
  })

  test('is cut into pages that neither repeat nor miss a price, in either order', async () => {
    for (const sort of ['observedOn', '-observedOn', 'priceValue', '-priceValue']) {
      const seen: number[] = []
      for (let page = 1; page <= 26; page++) {
        seen.push(...read(await list({ sort, limit: 25, page })).data.map(({ id }) => id))
      }
      expect(seen).toEqual(expected({ sort }).map(({ id }) => id))
    }
  })

  test('shows each price completely', async () => {
    const [newest] = read(await list({ limit: 1 })).data
    const one = await reader.get(`/api/prices/${newest?.id}`)
    expect(newest).toEqual(one.body)
  })

  test('past the end is empty, with the exact total', async () => {
    for (const page of [61, 999_999_999_999]) {
      expect(read(await list({ page }))).toEqual({
        data: [],
        pagination: { page, limit: 10, total: 600, pages: 60 },
      })
    }
  })

  test('is the same with unknown and empty parameters', async () => {
    const query = '?search=&productId=&minPrice=&currency=&startDate=&collectorName=&sort=&page=&utm=x'
    expect((await reader.get(`/api/prices${query}`)).body).toEqual((await list({})).body)
  })

  test.each([
    ['endDate', 'startDate=2026-01-02&endDate=2026-01-01', 'La date de fin précède la date de début'],
    ['startDate', 'startDate=2026-02-30', 'Cette date n’existe pas'],
    ['endDate', 'endDate=01/02/2026', 'Date attendue (aaaa-mm-jj)'],
    ['productId', 'productId=riz', 'Identifiant invalide'],
    ['marketId', 'marketId=1&marketId=2', 'Identifiant invalide'],
    ['categoryId', 'categoryId=-1', 'Identifiant invalide'],
    ['minPrice', 'minPrice=beaucoup', 'Nombre attendu'],
    ['maxPrice', 'maxPrice=12.3456', 'Nombre attendu'],
    ['maxPrice', 'maxPrice=1.234', 'se lit de deux façons'],
    ['kind', 'kind=bien', 'La nature est good, service, wage ou rate'],
    ['currency', 'currency=EUR', 'La devise est CDF ou USD'],
    ['limit', 'limit=201', 'La limite est un entier de 1 à 200'],
    ['page', 'page=0', 'La page est un entier à partir de 1'],
    ['sort', 'sort=marketId', 'Tri inconnu'],
    ['search', `search=${'x'.repeat(201)}`, '200 caractères au plus'],
  ])('refuses a wrong %s: %s', async (field, query, message) => {
    const answer = await reader.get(`/api/prices?${query}`)
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ field }] } })
    expect(answer.text).toContain(message)
  })

  test('uses the local day of the market: 23:30 in Lubumbashi is still 22:30 in Kinshasa', async () => {
    const [west, east] = markets
    const productId = await insertProduct(db)
    const at = (marketId: number, instant: string): Quote => ({
      productId,
      marketId,
      priceValue: 1,
      currency: 'CDF',
      collectorName: 'Minuit',
      lane: 0,
      collectedAt: new Date(instant),
    })
    await insertQuotes(
      db,
      [
        at(west?.id ?? 0, '2025-06-30T22:59:59Z'),
        at(west?.id ?? 0, '2025-06-30T23:00:00Z'),
        at(east?.id ?? 0, '2025-06-30T21:59:59Z'),
        at(east?.id ?? 0, '2025-06-30T22:00:00Z'),
      ],
      markets,
    )
    for (const [period, marketId, total] of [
      [{ endDate: '2025-06-30' }, west?.id, 1],
      [{ startDate: '2025-07-01', endDate: '2025-07-01' }, west?.id, 1],
      [{ endDate: '2025-06-30' }, east?.id, 1],
      [{ startDate: '2025-07-01', endDate: '2025-07-01' }, east?.id, 1],
      [{ startDate: '2025-06-30', endDate: '2025-06-30' }, undefined, 2],
      [{ startDate: '2025-07-02' }, undefined, 0],
    ] as const) {
      const { pagination } = read(await list({ ...period, productId, ...(marketId && { marketId }) }))
      expect(pagination.total, JSON.stringify([period, marketId])).toBe(total)
    }
  })
})
