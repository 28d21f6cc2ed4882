import { sql } from 'kysely'
import { expect, test } from 'vitest'
import {
  insertBrand,
  insertCategory,
  insertMarket,
  insertProduct,
  insertType,
} from '../../../tests/support/catalogue.ts'
import { expectExactRollups } from '../../../tests/support/exact-rollups.ts'
import { insertAccount, testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const clerk = await server.as('collector')

async function addPrice(productId: number, marketId: number) {
  const price = { productId, marketId, priceValue: 500, collectorName: 'Amina', collectedAt: '2026-01-02' }
  const { status, body } = await clerk.post('/api/prices', price)
  expect(status).toBe(201)
  return Object(body).id as number
}
const find = async (id: number) => Object((await clerk.get(`/api/prices/${id}`)).body)

test('two products are merged with their prices, in one entry of the journal', async () => {
  const [target, twin] = [await insertProduct(db, { name: 'Riz Lion' }), await insertProduct(db)]
  const marketId = await insertMarket(db)
  await db
    .insertInto('wfp_product')
    .values({ wfp_id: 52, unit: 'KG', format: 'Détail', product_id: twin })
    .execute()
  const ids = [await addPrice(target, marketId), await addPrice(twin, marketId)]
  const answer = await clerk.post(`/api/products/${twin}/merge`, { intoId: target })
  expect(answer).toMatchObject({
    status: 200,
    body: { id: target, _count: { prices: 2 }, message: 'Produit fusionné avec succès' },
  })
  for (const id of ids)
    expect(await find(id)).toMatchObject({ productId: target, product: { name: 'Riz Lion' } })
  expect((await clerk.get(`/api/products/${twin}`)).status).toBe(404)
  const wfp = db.selectFrom('wfp_product').select('product_id').where('wfp_id', '=', 52)
  expect(await wfp.executeTakeFirst()).toEqual({ product_id: target })
  await expectExactRollups(db)
  const entries = db.selectFrom('audit_entry').selectAll().where('action', '=', 'merge')
  expect(await entries.execute()).toMatchObject([{ entity: 'products', entity_id: twin }])
  expect((await clerk.post(`/api/products/${target}/merge`, { intoId: target })).status).toBe(400)
})

test('a product with more prices than one statement moves is merged with all of them', async () => {
  const [target, twin] = [await insertProduct(db), await insertProduct(db)]
  const market_id = await insertMarket(db)
  const count = 4_001
  await sql`
    insert into price (product_id, market_id, price_value, collector_name, collected_at, observed_on)
    select ${twin}, ${market_id}, 500, 'Amina', day + time '12:00', day
      from (select date '2026-01-02' - n as day from generate_series(1, ${count}) n) days`.execute(db)
  expect(await clerk.post(`/api/products/${twin}/merge`, { intoId: target })).toMatchObject({
    status: 200,
    body: { _count: { prices: count } },
  })
  await expectExactRollups(db)
  const { rows } = await sql<{ prices: number; named: number }>`
    select (after ->> 'prices')::integer as prices, jsonb_array_length(after -> 'priceIds') as named
      from audit_entry where action = 'merge' and entity_id = ${twin}`.execute(db)
  expect(rows).toEqual([{ prices: count, named: 200 }])
})

test('reports, saved views, shared pages and saved mappings that choose merged rows choose the remaining ones', async () => {
  const reader = await server.clientOf(await insertAccount(db, { roles: ['user'], ageDays: 1 }))
  const rows = async () => {
    const categoryId = await insertCategory(db)
    const typeId = await insertType(db, { category_id: categoryId, name: 'Sel' })
    const brandId = await insertBrand(db)
    return {
      categoryId,
      typeId,
      brandId,
      productId: await insertProduct(db, { type_id: typeId, brand_id: brandId }),
    }
  }
  const [kept, merged] = [await rows(), await rows()]
  const searchOf = (chosen: typeof kept, more = '') =>
    new URLSearchParams(Object.entries(chosen).map(([k, id]) => [k, `${id}${more}`])).toString()
  const report = await reader.post('/api/reports', {
    title: 'Sel',
    blocks: [
      { kind: 'text', text: 'Avant' },
      { kind: 'table', selection: { ...merged, marketId: 7 } },
      { kind: 'table', selection: kept },
    ],
  })
  expect(report.status, report.text).toBe(201)
  const view = { path: '/prices', search: `currency=CDF&${searchOf(merged)}` }
  expect((await reader.post('/api/views', { name: 'Sel', ...view })).status).toBe(201)
  // Other ids that begin with the same digits.
  const longer = { path: '/prices', search: searchOf(merged, '0') }
  expect((await reader.post('/api/views', { name: 'Sucre', ...longer })).status).toBe(201)
  const compared = (id: number) =>
    `startDate=${merged.productId}-01-01&series=7-1%2C${id}-2,${id}-13,${merged.productId}0-3&unit=USD`
  const comparison = { path: '/statistiques/comparaison', search: compared(merged.productId) }
  expect((await reader.post('/api/views', { name: 'Trois séries', ...comparison })).status).toBe(201)
  const share = await reader.post('/api/shares', { path: '/prices', search: `?${searchOf(merged)}` })
  expect(share.status, share.text).toBe(201)
  const names = { markets: {}, products: { Sel: { id: merged.productId, name: 'Sel' }, Riz: null } }
  const content = JSON.stringify({ fields: {}, decimal: 'auto', dateOrder: 'auto', titles: ['a'], names })
  await db
    .insertInto('import_mapping')
    .values({ kind: 'prices', name: 'Sel', titles: ['a'], content })
    .execute()

  for (const [resource, key] of [
    ['products', 'productId'],
    ['brands', 'brandId'],
    ['categories', 'categoryId'],
  ] as const)
    expect((await clerk.post(`/api/${resource}/${merged[key]}/merge`, { intoId: kept[key] })).status).toBe(
      200,
    )

  const { body } = await reader.get(`/api/reports/${Object(report.body).id}`)
  expect(Object(body).blocks).toMatchObject([
    { text: 'Avant', selection: {} },
    { selection: { ...kept, marketId: 7 } },
    { selection: kept },
  ])
  expect((await reader.get('/api/views')).body).toMatchObject({
    data: [
      { search: `currency=CDF&${searchOf(kept)}` },
      { search: searchOf(merged, '0') },
      { search: compared(kept.productId) },
    ],
  })
  expect(Object((await reader.get('/api/shares')).body).data[0].search).toContain(searchOf(kept))
  const mapping = await db.selectFrom('import_mapping').select('content').executeTakeFirstOrThrow()
  expect(mapping.content).toMatchObject({
    names: { products: { Sel: { id: kept.productId, name: expect.stringMatching(/^Produit/) }, Riz: null } },
  })
})

test('a user who may not write the catalogue may not merge products', async () => {
  const manager = await server.as('manager')
  expect((await manager.post('/api/products/1/merge', { intoId: 2 })).status).toBe(403)
})
