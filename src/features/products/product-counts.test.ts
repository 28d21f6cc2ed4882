import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { insertProduct, insertType } from '../../../tests/support/catalogue.ts'
import { testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db, pool } = server
const reader = await server.as('manager')

/** Returns the counts stored per type, and the true ones. */
async function counts() {
  const { rows } = await sql<{ kept: object; real: object }>`
    select (select coalesce(json_object_agg(type_id, n), '{}')
              from (select type_id, sum(n) as n from product_count group by 1 having sum(n) <> 0) kept) as kept,
           (select coalesce(json_object_agg(type_id, n), '{}')
              from (select type_id, count(*) as n from product group by 1) counted) as real`.execute(db)
  return rows[0]
}

async function readCounts() {
  const list = await reader.get('/api/products?limit=1')
  const figures = await reader.get('/api/products/figures')
  return { total: Object(list.body).pagination.total, figures: figures.body }
}

test('the total of all products is exact after every kind of write, committed or not', async () => {
  const [rice, oil] = [await insertType(db), await insertType(db)]
  const ids: number[] = []
  for (const type_id of [rice, rice, oil]) ids.push(await insertProduct(db, { type_id }))
  expect(await readCounts()).toEqual({
    total: 3,
    figures: { products: 3, types: 2, brands: 0, categories: 2 },
  })

  await db
    .updateTable('product')
    .set({ type_id: oil })
    .where('id', '=', ids[0] ?? 0)
    .execute()
  await db.updateTable('product').set({ name: 'Autre' }).execute()
  await db
    .deleteFrom('product')
    .where('id', '=', ids[1] ?? 0)
    .execute()
  const undone = db.transaction().execute(async (tx) => {
    await tx.deleteFrom('product').execute()
    throw new Error('never mind')
  })
  await expect(undone).rejects.toThrow('never mind')
  expect(await readCounts()).toEqual({
    total: 2,
    figures: { products: 2, types: 1, brands: 0, categories: 1 },
  })
  const exact = await counts()
  expect(exact?.kept).toEqual(exact?.real)

  await db.deleteFrom('product').execute()
  await db.deleteFrom('product_type').where('id', '=', rice).execute()
  expect(await readCounts()).toMatchObject({ total: 0, figures: { products: 0, types: 0, categories: 0 } })
})

test('a long transaction with a count blocks no other write, and a truncated table has none', async () => {
  const type_id = await insertType(db)
  const client = await pool.connect()
  const product = `insert into product (code, name, type_id, weight, origin, format)
    values ('LONG', 'Riz', ${type_id}, '1 kg', 'RDC', 'Sac')`
  await client.query('begin')
  await client.query(product)
  for (let index = 0; index < 3; index++) await insertProduct(db, { type_id })
  expect((await readCounts()).total).toBe(3)
  await client.query('commit')
  client.release()
  expect((await readCounts()).total).toBe(4)
  await sql`truncate product cascade`.execute(db)
  expect((await readCounts()).total).toBe(0)
})
