import { join } from 'node:path'
import { expect, test } from 'vitest'
import { searchedWords } from '#features/public-prices/public-prices.rules.ts'
import { loadViews } from '#server/views.ts'
import { addDays, dayInKinshasa } from '#shared/days.ts'
import { insertMarket, insertPrice, insertProduct, insertType } from '../../../tests/support/catalogue.ts'
import { testServer } from '../../../tests/support/server.ts'

const views = await loadViews(join(import.meta.dirname, '../../../dist'))
const server = await testServer({ views })
const { db } = server
const today = dayInKinshasa(new Date())

const type_id = await insertType(db, { name: 'Céréale sèche' })
const rice = await insertProduct(db, { name: 'Riz de Bumba', weight: '1 kg', type_id })
const oil = await insertProduct(db, { name: 'Huile rouge', weight: '1 L' })
const goma = await insertMarket(db, { name: 'Virunga', location: 'Goma', province: 'Nord-Kivu' })
const bukavu = await insertMarket(db, { name: 'Kadutu', location: 'Bukavu' })
for (const [product_id, market_id, days, price_value] of [
  [rice, goma, 2, 3600],
  [rice, bukavu, 1, 3100],
  [oil, goma, 3, 9000],
] as const)
  await insertPrice(db, { product_id, market_id, day: addDays(today, -days), price_value })

type Found = { productId: number; name: string; marketId: number | null; lastPrice: number }
const search = async (q: string) =>
  ((await server.visitor.get(`/api/public/search?q=${encodeURIComponent(q)}`)).body as { data: Found[] }).data

test('a product and a place are found in any order, without accents, with their last price', async () => {
  for (const q of ['riz goma', 'GOMA riz', 'virunga, bumba', 'cereale nord-kivu']) {
    expect(await search(q)).toMatchObject([{ productId: rice, marketId: goma, lastPrice: 3600 }])
  }
})

test('a product alone is found everywhere, with the latest of its prices', async () => {
  expect(await search('riz')).toMatchObject([
    {
      productId: rice,
      marketId: null,
      name: 'Riz de Bumba, 1 kg',
      market: 'Kadutu, Bukavu',
      lastPrice: 3100,
    },
  ])
})

test('a product is found by the name and weight that it is shown with', async () => {
  for (const q of ['Riz de Bumba, 1 kg', 'riz 1kg', 'Bumba 1\u00a0KG', 'cereale 1 kg goma']) {
    expect((await search(q)).map(({ productId }) => productId)).toEqual([rice])
  }
  expect(await search('riz 25 kg')).toEqual([])
})

test('a city or a market alone finds the last prices there', async () => {
  for (const q of ['goma', 'Virunga', 'nord-kivu']) {
    const found = await search(q)
    expect(found.map(({ productId, marketId, lastPrice }) => [productId, marketId, lastPrice])).toEqual([
      [rice, goma, 3600],
      [oil, goma, 9000],
    ])
  }
})

test('a product not sold there is not found, nor is an empty search, nor a pattern of SQL', async () => {
  for (const q of ['huile bukavu', '', '   ', '%', 'riz %', "' or 1=1 --", 'lune'])
    expect(await search(q)).toEqual([])
  expect((await server.visitor.get(`/api/public/search?q=${'a'.repeat(101)}`)).status).toBe(400)
})

test('visitors read the page of a product, and search engines its address', async () => {
  for (const path of ['/produits', `/produits/${rice}`, '/recherche?q=riz%20goma', '/recherche']) {
    expect((await server.visitor.send(path, {})).status).toBe(200)
  }
  for (const path of ['/produits/2147483000', '/produits/x']) {
    expect((await server.visitor.send(path, {})).status).toBe(404)
  }
  expect((await server.visitor.send('/sitemap.xml', {})).text).toContain(`/produits/${rice}</loc>`)
})

test('the page of a product merged since is that of the product that remains', async () => {
  const [old, kept] = [await insertProduct(db, { name: 'Sel' }), await insertProduct(db, { name: 'Sel fin' })]
  await insertPrice(db, { product_id: old, market_id: goma, day: addDays(today, -1) })
  const admin = await server.as('super admin')
  expect((await admin.post(`/api/products/${old}/merge`, { intoId: kept })).status).toBe(200)
  const { status, text } = await server.visitor.send(`/produits/${old}`, {})
  expect([status, text]).toEqual([200, expect.stringContaining(`/produits/${kept}"`)])
})

test('a wholesale price says so wherever it is read, and a price in dollars is a price', async () => {
  const retail = await insertProduct(db, { name: 'Maïs', weight: 'KG', type_id })
  const wholesale = await insertProduct(db, { name: 'Maïs', weight: 'KG', type_id, format: 'Gros' })
  const [cheap, dear] = [
    { product_id: wholesale, market_id: goma, price_value: 1.25, currency: 'USD' },
    { product_id: retail, market_id: goma, price_value: 3600 },
  ]
  for (const price of [cheap, dear]) await insertPrice(db, { ...price, day: addDays(today, -1) })
  expect((await search('maïs')).map(({ productId, name }) => [productId, name])).toEqual([
    [retail, 'Maïs, KG'],
    [wholesale, 'Maïs, KG, gros'],
  ])
  const { text } = await server.visitor.send(`/produits/${wholesale}`, {})
  expect(text).toContain('Maïs, KG, gros')
  expect(text).toContain('Prix de gros, relevés sur place')
  expect(text).not.toContain('Aucun relevé')
  expect((await server.visitor.send(`/produits/${retail}`, {})).text).toContain('Prix payés au détail')
})

test('what the search finds has a page, wages and services too', async () => {
  const product_id = await insertProduct(db, {
    name: 'Salaire journalier',
    type_id: await insertType(db, { kind: 'wage' }),
  })
  await insertPrice(db, { product_id, market_id: goma, day: addDays(today, -1) })
  expect(await search('salaire')).toMatchObject([{ productId: product_id }])
  expect((await server.visitor.send(`/produits/${product_id}`, {})).status).toBe(200)
  expect((await server.visitor.send('/produits', {})).text).not.toContain('Salaire journalier')
})

test('characters that the database cannot store separate words', () => {
  expect(searchedWords('riz\0goma \ud800')).toEqual(['riz', 'goma'])
})

test('a question is searched by its telling words', () => {
  expect(searchedWords('Prix du riz à Goma\u202f?')).toEqual(['riz', 'Goma'])
  expect(searchedWords("l’huile d'arachide")).toEqual(['huile', 'arachide'])
  expect(searchedWords('à la')).toEqual(['à', 'la'])
})

test('a change over fewer than three prices in a window is grey, whatever its margin', async () => {
  const pageOf = async (quotes: [days: number, price_value: number][]) => {
    const product_id = await insertProduct(db, { name: 'Sel gemme', type_id })
    for (const [days, price_value] of quotes)
      await insertPrice(db, { product_id, market_id: goma, day: addDays(today, -days), price_value })
    return (await server.visitor.send(`/produits/${product_id}`, {})).text
  }
  const few: [number, number][] = [
    [33, 1000],
    [31, 1002],
    [3, 1030],
    [1, 1032],
  ]
  const thin = await pageOf(few)
  expect(thin).toMatch(/hausse/)
  expect(thin).not.toMatch(/text-red"/)
  expect(await pageOf([...few, [32, 1001], [2, 1031]])).toMatch(/text-red"/)
})
