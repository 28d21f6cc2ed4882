import { describe, expect, test } from 'vitest'
import { products } from '#features/products/products.contract.ts'
import {
  insertAbsence,
  insertBrand,
  insertCategory,
  insertPrice,
  insertProduct,
  insertType,
} from '../../../tests/support/catalogue.ts'
import { testCrud } from '../../../tests/support/crud.ts'
import { testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const collector = await server.as('collector')
const brandId = await insertBrand(db, 'Simba')
const otherBrandId = await insertBrand(db, 'Azur')
const category = await insertCategory(db, 'Farines')
const typeId = await insertType(db, { category_id: category, name: 'Farine de maïs' })
const otherTypeId = await insertType(db)

const valid = (name: string) => ({
  code: name,
  name,
  typeId,
  brandId,
  weight: '25kg',
  price: 45_000.5,
  currency: 'CDF',
  origin: 'RD Congo',
  format: 'Sac',
})

testCrud(server, products, {
  valid,
  required: ['code', 'name', 'typeId', 'brandId', 'weight', 'origin', 'format'],
  unique: 'code',
  invalid: [
    ['code', { code: 'x'.repeat(101) }],
    ['name', { name: 'x'.repeat(201) }],
    ['weight', { weight: 'x'.repeat(101) }],
    ['origin', { origin: 'x'.repeat(201) }],
    ['format', { format: 'x'.repeat(201) }],
    ['price', { price: 0 }],
    ['price', { price: -1 }],
    ['price', { price: 1.001 }],
    ['price', { price: 1e15 }],
    ['price', { price: '0x10' }],
    ['currency', { currency: 'EUR' }],
    ['currency', { currency: null }],
    ['typeId', { typeId: 2_147_483_647 }],
    ['brandId', { brandId: 2_147_483_647 }],
    ['image', { image: 'photo.jpg' }],
    ['image', { image: { type: 'Buffer', data: [1] } }],
  ],
  changes: (name) => ({
    code: name,
    name: 'Farine fine',
    typeId: otherTypeId,
    brandId: otherBrandId,
    weight: '50kg',
    price: null,
    currency: 'USD',
    origin: 'Zambie',
    format: 'Sachet',
  }),
  use: (id) => insertPrice(db, { product_id: id }),
  inUse: /: 1 prix en dépend\.$/,
})

describe('a product', () => {
  test('carries its brand, its type and its category by name', async () => {
    expect((await collector.post('/api/products', valid('NOMS'))).body).toMatchObject({
      typeId,
      type: { id: typeId, name: 'Farine de maïs', category: { id: category, name: 'Farines' } },
      brandId,
      brand: { id: brandId, name: 'Simba' },
      image_url: null,
    })
  })

  test('without a brand is edited without one, and one with a brand must have one', async () => {
    const admin = await server.as('admin')
    const bare = await insertProduct(db, { brand_id: null })
    const edited = await admin.put(`/api/products/${bare}`, { brandId: null, name: 'Riz du marché' })
    expect(edited).toMatchObject({ status: 200, body: { name: 'Riz du marché', brand: null } })
    const branded = await insertProduct(db, { brand_id: brandId })
    expect(await admin.put(`/api/products/${branded}`, { brandId: null })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'brandId' }] },
    })
  })

  test('read from a price file has no brand', async () => {
    const id = await insertProduct(db, { brand_id: null })
    expect((await collector.get(`/api/products/${id}`)).body).toMatchObject({ brandId: null, brand: null })
    expect((await collector.put(`/api/products/${id}`, { origin: 'Angola' })).body).toMatchObject({
      origin: 'Angola',
      brandId: null,
    })
  })

  test('that agents reported as absent is not deleted', async () => {
    const product_id = await insertProduct(db)
    await insertAbsence(db, { product_id })
    expect(await collector.delete(`/api/products/${product_id}`)).toMatchObject({
      status: 409,
      body: { message: 'Suppression impossible\u00a0: 1 relevé de terrain en dépend.' },
    })
  })

  test('without price or currency is in francs', async () => {
    const { price: _, currency: __, ...rest } = valid('SANS-PRIX')
    const { status, body } = await collector.post('/api/products', rest)
    expect({ status, body }).toMatchObject({ status: 201, body: { price: null, currency: 'CDF' } })
  })

  test('requires a type and a brand that exist, in French', async () => {
    const refused = async (wrong: object) =>
      (await collector.post('/api/products', { ...valid('FAUX'), ...wrong })).body
    expect(await refused({ typeId: 2_147_483_647 })).toMatchObject({
      errors: [{ field: 'typeId', message: 'Ce type de produit n’existe pas.' }],
    })
    expect(await refused({ brandId: 2_147_483_647 })).toMatchObject({
      errors: [{ field: 'brandId', message: 'Cette marque n’existe pas.' }],
    })
  })

  test('counts all its prices when it cannot be deleted', async () => {
    const product_id = await insertProduct(db)
    for (const day of ['2026-01-01', '2026-01-01', '2026-02-01']) await insertPrice(db, { product_id, day })
    const { status, body } = await collector.delete(`/api/products/${product_id}`)
    expect({ status, body }).toMatchObject({
      status: 409,
      body: { message: 'Suppression impossible\u00a0: 3 prix en dépendent.' },
    })
  })
})

describe('the list of products', async () => {
  const shelf = await insertCategory(db, 'Rayon')
  const soap = await insertType(db, { category_id: shelf, name: 'Savon' })
  const oil = await insertType(db, { category_id: shelf, name: 'Huile' })
  const monganga = await insertBrand(db, 'Monganga')
  const rows = [
    {
      code: 'RAY-1',
      name: 'Savon bleu',
      type_id: soap,
      brand_id: monganga,
      price: 1500,
      currency: 'CDF',
      origin: 'RD Congo',
      format: 'Barre',
    },
    {
      code: 'RAY-2',
      name: 'Savon Été',
      type_id: soap,
      brand_id: null,
      price: 2500,
      currency: 'CDF',
      origin: 'Zambie',
      format: 'Liquide',
    },
    {
      code: 'RAY-3',
      name: 'Huile de palme',
      type_id: oil,
      brand_id: monganga,
      price: 4,
      currency: 'USD',
      origin: 'RD Congo',
      format: 'Bidon',
    },
    {
      code: 'RAY-4',
      name: 'Huile 100% pure',
      type_id: oil,
      brand_id: monganga,
      price: null,
      currency: 'CDF',
      origin: 'Ouganda',
      format: 'Bidon',
    },
  ]
  for (const row of rows)
    await db
      .insertInto('product')
      .values({ ...row, weight: '1kg' })
      .execute()

  const codes = async (query: Record<string, string | number>) => {
    const texts = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
    const path = `/api/products?${new URLSearchParams([['categoryId', String(shelf)], ['sort', 'code'], ...texts])}`
    const { body } = await collector.get(path)
    const { products: found, pagination } = body as {
      products: { code: string }[]
      pagination: { total: number }
    }
    expect(pagination.total).toBe(found.length)
    return found.map(({ code }) => code.replace('RAY-', '')).join(' ')
  }

  test.each<[Record<string, string | number>, string]>([
    [{}, '1 2 3 4'],
    [{ search: 'SAVON' }, '1 2'],
    [{ search: 'ete' }, '2'],
    [{ search: 'ray-3' }, '3'],
    [{ search: '100%' }, '4'],
    [{ search: '100_' }, ''],
    [{ typeId: soap }, '1 2'],
    [{ typeId: '999999999999999' }, ''],
    [{ brandId: monganga }, '1 3 4'],
    [{ brandId: '999999999999999' }, ''],
    [{ minPrice: 1500 }, '1 2'],
    [{ minPrice: '1500.01' }, '2'],
    [{ maxPrice: 1500 }, '1 3'],
    [{ minPrice: 4, maxPrice: 1500 }, '1 3'],
    [{ minPrice: 3, maxPrice: 2 }, ''],
    [{ currency: 'USD' }, '3'],
    [{ currency: 'CDF', maxPrice: 2000 }, '1'],
    [{ origin: 'rd congo' }, '1 3'],
    [{ origin: 'Congo' }, ''],
    [{ format: 'BIDON' }, '3 4'],
    [{ format: 'bidon', origin: 'ouganda', brandId: monganga, typeId: oil, search: 'pure' }, '4'],
    [{ search: '', typeId: '', minPrice: '', currency: '', origin: '', format: '' }, '1 2 3 4'],
  ])('with %o shows %j', async (query, shown) => {
    expect(await codes(query)).toBe(shown)
  })

  test('comes with figures of the whole selection', async () => {
    const figures = async (query: string) => (await collector.get(`/api/products/figures?${query}`)).body
    expect(await figures(`categoryId=${shelf}`)).toEqual({ products: 4, types: 2, brands: 1, categories: 1 })
    expect(await figures('search=ray-2')).toEqual({ products: 1, types: 1, brands: 0, categories: 1 })
    expect(await figures('search=rien')).toEqual({ products: 0, types: 0, brands: 0, categories: 0 })
  })

  test('is empty for an unknown category', async () => {
    expect((await collector.get('/api/products?categoryId=999999999999999')).body).toMatchObject({
      products: [],
      pagination: { total: 0, pages: 0 },
    })
  })

  test.each([
    ['price', '3 1 2 4'],
    ['-price', '2 1 3 4'],
    ['brand', '1 3 4 2'],
    ['name', '4 3 1 2'],
    ['type', '3 4 1 2'],
    ['-type', '2 1 4 3'],
  ])('sorted by %s puts missing values last: %s', async (sort, order) => {
    const { body } = await collector.get(`/api/products?categoryId=${shelf}&sort=${sort}`)
    const { products: found } = body as { products: { code: string }[] }
    expect(found.map(({ code }) => code.replace('RAY-', '')).join(' ')).toBe(order)
  })

  test.each([
    ['typeId', 'abc'],
    ['brandId', '-1'],
    ['categoryId', '1.5'],
    ['minPrice', 'cher'],
    ['maxPrice', '1e3'],
    ['minPrice', '1.234'],
    ['currency', 'EUR'],
    ['origin', '\u0000'],
    ['sort', 'image'],
  ])('refuses %s=%j under its name', async (field, value) => {
    const { status, body } = await collector.get(`/api/products?${new URLSearchParams([[field, value]])}`)
    expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ field }] } })
  })
})
