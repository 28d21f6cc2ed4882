import { expect, test } from 'vitest'
import { productTypes } from '#features/product-types/product-types.contract.ts'
import { insertCategory, insertProduct, insertType } from '../../../tests/support/catalogue.ts'
import { testCrud } from '../../../tests/support/crud.ts'
import { testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const cereals = await insertCategory(server.db, 'Céréales')
const tubers = await insertCategory(server.db, 'Tubercules')

testCrud(server, productTypes, {
  valid: (name) => ({ name, categoryId: cereals }),
  required: ['name', 'categoryId'],
  invalid: [
    ['name', { name: 'é'.repeat(201) }],
    ['categoryId', { categoryId: 0 }],
    ['categoryId', { categoryId: 1.5 }],
    ['categoryId', { categoryId: 2_147_483_648 }],
    ['categoryId', { categoryId: 2_147_483_647 }],
  ],
  changes: (name) => ({ name, categoryId: tubers }),
  use: (id) => insertProduct(server.db, { type_id: id }),
  inUse: /: 1 produit en dépend\.$/,
})

test('a type carries its category, and may share its name with a type of another one', async () => {
  const collector = await server.as('collector')
  const send = (categoryId: number) => collector.post('/api/product-types', { name: 'Farine', categoryId })
  expect((await send(cereals)).body).toMatchObject({ category: { id: cereals, name: 'Céréales' } })
  expect((await send(tubers)).body).toMatchObject({ category: { id: tubers, name: 'Tubercules' } })
  expect((await send(tubers)).status).toBe(409)
})

test('a type is a good unless another kind is given', async () => {
  const collector = await server.as('collector')
  const kindOf = async (body: object) =>
    (await collector.post('/api/product-types', { categoryId: cereals, ...body })).body
  expect(await kindOf({ name: 'Sorgho' })).toMatchObject({ kind: 'good' })
  expect(await kindOf({ name: 'Salaire journalier', kind: 'wage' })).toMatchObject({ kind: 'wage' })
  const chosen = await kindOf({ name: 'Transport de sacs' })
  expect(chosen).toMatchObject({ kind: 'good' })
  const { id } = chosen as { id: number }
  expect((await collector.put(`/api/product-types/${id}`, { kind: 'service' })).body).toMatchObject({
    kind: 'service',
    name: 'Transport de sacs',
  })
  expect(
    (await collector.post('/api/product-types', { name: 'X', categoryId: cereals, kind: 'x' })).status,
  ).toBe(400)
})

test('a list is filtered by category, and an unknown one has no types', async () => {
  const collector = await server.as('collector')
  const category = await insertCategory(server.db)
  const ids = [
    await insertType(server.db, { category_id: category }),
    await insertType(server.db, { category_id: category }),
  ]
  const list = async (categoryId: number | string) =>
    (await collector.get(`/api/product-types?categoryId=${categoryId}`)).body as {
      productTypes: { id: number }[]
      pagination: { total: number }
    }
  const { productTypes: found, pagination } = await list(category)
  expect(found.map(({ id }) => id)).toEqual(ids)
  expect(pagination.total).toBe(2)
  expect((await list('999999999999999')).pagination.total).toBe(0)
  expect((await collector.get('/api/product-types?categoryId=abc')).body).toMatchObject({
    errors: [{ field: 'categoryId' }],
  })
})

test('a refused category is named in French under its field', async () => {
  const collector = await server.as('collector')
  const answer = await collector.post('/api/product-types', { name: 'Orphelin', categoryId: 2_147_483_647 })
  expect(answer).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'categoryId', message: 'Cette catégorie n’existe pas.' }] },
  })
})
