import { expect, test } from 'vitest'
import { insertCategory, insertMarket, insertProduct, insertType } from '../../../tests/support/catalogue.ts'
import { expectExactRollups } from '../../../tests/support/exact-rollups.ts'
import { testServer } from '../../../tests/support/server.ts'
import { untilWaiting } from '../../../tests/support/waiting.ts'

const server = await testServer()
const { db } = server
const admin = await server.as('collector')

const typeOf = async (id: number) =>
  (await db.selectFrom('product').select('type_id').where('id', '=', id).executeTakeFirstOrThrow()).type_id
const total = async (id: number) => Object((await admin.get(`/api/categories/${id}`)).body).totalProducts

test('two product types are merged with their products, in one entry of the journal', async () => {
  const category = await insertCategory(db)
  const rice = await insertType(db, { name: 'Riz', category_id: category })
  const english = await insertType(db, { name: 'Rice', category_id: category })
  const productId = await insertProduct(db, { type_id: english })
  const marketId = await insertMarket(db)
  const price = { productId, marketId, priceValue: 500, collectorName: 'Amina', collectedAt: '2026-01-02' }
  expect((await admin.post('/api/prices', price)).status).toBe(201)
  const answer = await admin.post(`/api/product-types/${english}/merge`, { intoId: rice })
  expect(answer).toMatchObject({ status: 200, body: { id: rice, name: 'Riz' } })
  expect(await typeOf(productId)).toBe(rice)
  expect((await admin.get(`/api/product-types/${english}`)).status).toBe(404)
  expect(await total(category)).toBe(1)
  await expectExactRollups(db)
  const entries = await db.selectFrom('audit_entry').selectAll().where('action', '=', 'merge').execute()
  expect(entries).toMatchObject([
    { entity: 'product-types', entity_id: english, before: { name: 'Rice' }, after: { name: 'Riz' } },
  ])
})

test('the weights of a merged type are moved to the other, except for days on which it has its own', async () => {
  const [target, merged] = [await insertType(db), await insertType(db)]
  const weigh = (type_id: number, day: string, weight: number) =>
    db.insertInto('product_type_weight').values({ type_id, day, weight, source: 'Enquête' }).execute()
  await weigh(target, '2024-01-01', 1)
  await weigh(merged, '2024-01-01', 2)
  await weigh(merged, '2025-01-01', 3)
  expect((await admin.post(`/api/product-types/${merged}/merge`, { intoId: target })).status).toBe(200)
  const weights = db.selectFrom('product_type_weight').select(['day', 'weight']).where('type_id', '=', target)
  expect(await weights.orderBy('day').execute()).toEqual([
    { day: '2024-01-01', weight: 1 },
    { day: '2025-01-01', weight: 3 },
  ])
})

test('two categories are merged: types of the same name are merged as well, the others are moved', async () => {
  const [ours, theirs] = [await insertCategory(db), await insertCategory(db)]
  const salt = await insertType(db, { name: 'Sel', category_id: ours })
  const twin = await insertType(db, { name: 'SEL', category_id: theirs })
  const sugar = await insertType(db, { name: 'Sucre', category_id: theirs })
  const salted = await insertProduct(db, { type_id: twin })
  await insertProduct(db, { type_id: sugar })
  await insertProduct(db, { type_id: salt })
  expect((await admin.post(`/api/categories/${theirs}/merge`, { intoId: ours })).status).toBe(200)
  expect(await typeOf(salted)).toBe(salt)
  const { body } = await admin.get(`/api/product-types?categoryId=${ours}`)
  expect(Object(body).productTypes.map(({ name }: { name: string }) => name)).toEqual(['Sel', 'Sucre'])
  expect(await total(ours)).toBe(3)
  expect((await admin.get(`/api/categories/${theirs}`)).status).toBe(404)
})

test('a product being created while categories are merged is moved with its type', async () => {
  const [ours, theirs] = [await insertCategory(db), await insertCategory(db)]
  const salt = await insertType(db, { name: 'Sel', category_id: ours })
  const twin = await insertType(db, { name: 'Sel', category_id: theirs })
  const isWritten = Promise.withResolvers<number>()
  const mayCommit = Promise.withResolvers<void>()
  const writing = db.transaction().execute(async (tx) => {
    isWritten.resolve(await insertProduct(tx, { type_id: twin }))
    await mayCommit.promise
  })
  const productId = await isWritten.promise
  const merging = admin.post(`/api/categories/${theirs}/merge`, { intoId: ours })
  await untilWaiting(db, 1)
  mayCommit.resolve()
  await writing
  expect((await merging).status).toBe(200)
  expect(await typeOf(productId)).toBe(salt)
})

test('a row is not merged with itself, with none, or by a user who may not write', async () => {
  const id = await insertCategory(db)
  expect((await admin.post(`/api/categories/${id}/merge`, { intoId: id })).status).toBe(400)
  expect((await admin.post(`/api/categories/${id}/merge`, { intoId: 2_000_000_000 })).status).toBe(404)
  expect((await admin.post(`/api/categories/${id}/merge`, {})).status).toBe(400)
  const manager = await server.as('manager')
  expect((await manager.post(`/api/categories/${id}/merge`, { intoId: 1 })).status).toBe(403)
})
