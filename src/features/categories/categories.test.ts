import { expect, test } from 'vitest'
import { categories } from '#features/categories/categories.contract.ts'
import { insertCategory, insertProduct, insertType } from '../../../tests/support/catalogue.ts'
import { testCrud } from '../../../tests/support/crud.ts'
import { testServer } from '../../../tests/support/server.ts'

const server = await testServer()

testCrud(server, categories, {
  valid: (name) => ({ name, description: 'Farines, riz et maïs' }),
  required: ['name'],
  invalid: [
    ['name', { name: 'é'.repeat(201) }],
    ['description', { description: 'x'.repeat(1001) }],
  ],
  changes: (name) => ({ name, description: null }),
  use: (id) => insertType(server.db, { category_id: id }),
  inUse: /: 1 type de produit en dépend\.$/,
})

test('a category counts the products of all its types', async () => {
  const collector = await server.as('collector')
  const { body } = await collector.post('/api/categories', { name: 'Huiles' })
  const { id } = body as { id: number }
  expect(body).toMatchObject({ description: null, totalProducts: 0 })
  const palm = await insertType(server.db, { category_id: id })
  const peanut = await insertType(server.db, { category_id: id })
  for (const type_id of [palm, palm, peanut]) await insertProduct(server.db, { type_id })

  expect((await collector.get(`/api/categories/${id}`)).body).toMatchObject({ totalProducts: 3 })
  const fullest = await collector.get('/api/categories?sort=-totalProducts&limit=1')
  expect(fullest.body).toMatchObject({ categories: [{ id, totalProducts: 3 }] })
  expect((await collector.delete(`/api/categories/${id}`)).body).toMatchObject({
    message: 'Suppression impossible\u00a0: 2 types de produit et 3 produits en dépendent.',
  })
})

test('a blank description is stored as none', async () => {
  const collector = await server.as('collector')
  const { body } = await collector.post('/api/categories', { name: 'Épices', description: '  ' })
  expect(body).toMatchObject({ description: null })
})

test('the figures of categories follow the search', async () => {
  const collector = await server.as('collector')
  const drinks = await insertCategory(server.db, 'Boissons gazeuses')
  await insertCategory(server.db, 'Boissons chaudes')
  const types = [
    await insertType(server.db, { category_id: drinks }),
    await insertType(server.db, { category_id: drinks }),
  ]
  for (const type_id of [...types, ...types]) await insertProduct(server.db, { type_id })
  const figures = async (search: string) =>
    (await collector.get(`/api/categories/figures?search=${search}`)).body
  expect(await figures('boissons')).toEqual({ categories: 2, types: 2, products: 4 })
  expect(await figures('CHAUDES')).toEqual({ categories: 1, types: 0, products: 0 })
  expect(await figures('rien')).toEqual({ categories: 0, types: 0, products: 0 })
})
