import { describe, expect, test } from 'vitest'
import { products } from '#features/products/products.contract.ts'
import { insertBrand, insertCategory, insertType } from '../../../tests/support/catalogue.ts'
import { testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const collector = await server.as('collector')
const types = [
  await insertType(db, { name: 'Savon' }),
  await insertType(db, { category_id: await insertCategory(db, 'Épices'), name: 'Ail' }),
]
const brands = [await insertBrand(db, 'Zest'), await insertBrand(db, 'Étoile'), null]
await db
  .insertInto('product')
  .values(
    Array.from({ length: 13 }, (_, i) => ({
      code: `P-${(i * 5) % 13}`,
      name: ['Eau', 'Éclair', 'Été', 'Zoo'][i % 4] ?? '',
      type_id: types[i % 2] ?? 0,
      brand_id: brands[i % 3],
      weight: '1kg',
      price: i % 4 ? 100 * ((i * 3) % 5) + 1 : null,
      origin: ['Kenya', 'Égypte'][i % 2] ?? '',
      format: 'Sac',
    })),
  )
  .execute()

async function idsOf(query: string): Promise<number[]> {
  const { body } = await collector.get(`/api/products?${query}`)
  return (body as { products: { id: number }[] }).products.map(({ id }) => id)
}

describe.each(products.sortable.flatMap((field) => [field, `-${field}`]))('sorted by %s', (sort) => {
  test.each([1, 2, 3, 5, 7, 13, 20])('pages of %d neither repeat nor miss a product', async (limit) => {
    const whole = await idsOf(`sort=${sort}&limit=200`)
    expect(new Set(whole).size).toBe(13)
    const pages: number[] = []
    for (let page = 1; page <= Math.ceil(13 / limit) + 1; page++) {
      pages.push(...(await idsOf(`sort=${sort}&limit=${limit}&page=${page}`)))
    }
    expect(pages).toEqual(whole)
  })
})

test('products without a price come last in either direction', async () => {
  for (const sort of ['price', '-price']) {
    const { body } = await collector.get(`/api/products?sort=${sort}&limit=200`)
    const prices = (body as { products: { price: number | null }[] }).products.map(({ price }) => price)
    expect(prices.slice(9)).toEqual([null, null, null, null])
  }
})
