import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { judgeAlerts } from '#features/alerts/judging/judging.jobs.ts'
import { deleteOldChanges } from '#server/db/changes.ts'
import { dayMs } from '#shared/days.ts'
import {
  insertBrand,
  insertCategory,
  insertMarket,
  insertProduct,
  insertType,
} from '../../../tests/support/catalogue.ts'
import { startFollower } from '../../../tests/support/following.ts'
import { expectRefusal } from '../../../tests/support/price-calls.ts'
import { testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const admin = await server.as('admin')
const productId = await insertProduct(db)
const marketId = await insertMarket(db)

type Copied = { id: number; priceValue: number; updatedAt: string }

const write = async (priceValue = 1500, place = { productId, marketId }) => {
  const price = { ...place, priceValue, collectorName: 'Amina', collectedAt: '2026-03-02' }
  const { status, body } = await admin.post('/api/prices', price)
  expect(status).toBe(201)
  return Number(Object(body).id)
}
const followed = async (path = '/api/prices', since?: string) => {
  const follower = startFollower<Copied>(path, since)
  await follower.catchUp(admin)
  return follower
}
const inTable = async () => {
  const { rows } = await sql<Copied>`
    select id, price_value as "priceValue", updated_at as "updatedAt" from price order by id`.execute(db)
  return rows
}
const copied = ({ copy }: { copy: Map<number, Copied> }) =>
  [...copy.values()]
    .map(({ id, priceValue, updatedAt }) => ({ id, priceValue, updatedAt }))
    .sort((a, b) => a.id - b.id)

describe('a program that follows prices', () => {
  test('has the same table at the end of sixteen writers who add, correct and delete', async () => {
    const follower = await followed()
    let isOver = false
    const following = (async () => {
      while (!isOver) await follower.catchUp(admin, 7)
    })()
    await Promise.all(
      Array.from({ length: 16 }, async (_, writer) => {
        const own: number[] = []
        for (let turn = 0; turn < 8; turn++) {
          own.push(await write(writer * 100 + turn + 1))
          if (turn % 3 === 1) await admin.put(`/api/prices/${own[0]}`, { priceValue: 9_000 + turn })
          if (turn % 4 === 3) await admin.delete(`/api/prices/${own.shift()}`)
        }
      }),
    )
    isOver = true
    await following
    await follower.catchUp(admin)
    expect(copied(follower)).toEqual(await inTable())
    expect(follower.copy.size).toBe(96)
    expect(copied(await followed())).toEqual(await inTable())
  })

  test('misses nothing of a transaction that began before its last read, and ends after', async () => {
    const follower = await followed()
    const { early, late } = await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ id: number }>`
        insert into price (product_id, market_id, price_value, collector_name, collected_at, observed_on, lane)
        values (${productId}, ${marketId}, 1, 'Amina', now(), current_date, 3) returning id`.execute(tx)
      const late = await write()
      await follower.catchUp(admin)
      return { early: Number(rows[0]?.id), late }
    })
    expect([follower.copy.has(early), follower.copy.has(late)]).toEqual([false, true])
    await follower.catchUp(admin)
    expect(follower.copy.has(early)).toBe(true)
  })

  test('sees the changes of a merge, an erasure and a statement at the SQL prompt', async () => {
    const [merged, kept] = [await insertProduct(db), await insertProduct(db)]
    const ids = [
      await write(10, { productId: merged, marketId }),
      await write(11, { productId: merged, marketId }),
    ]
    const follower = await followed(`/api/prices?productId=${kept}`)
    expect(follower.ids()).toEqual([])
    expect((await admin.post(`/api/products/${merged}/merge`, { intoId: kept })).status).toBe(200)
    await follower.catchUp(admin)
    expect(follower.ids()).toEqual(ids)
    await sql`delete from price where id = ${ids[0]}`.execute(db)
    await sql`update price set price_value = 12 where id = ${ids[1]}`.execute(db)
    await follower.catchUp(admin, 1)
    expect(copied(follower)).toMatchObject([{ id: ids[1], priceValue: 12 }])
  })

  test('of a selection is told which prices left it', async () => {
    const [here, elsewhere] = [await insertMarket(db), await insertMarket(db)]
    const id = await write(20, { productId, marketId: here })
    const follower = await followed(`/api/prices?marketId=${here}`)
    expect(follower.ids()).toEqual([id])
    await admin.put(`/api/prices/${id}`, { marketId: elsewhere })
    await follower.catchUp(admin)
    expect(follower.ids()).toEqual([])
  })

  test('may begin at an instant, and gets a row twice rather than never', async () => {
    await write()
    await (await followed()).catchUp(admin)
    const { rows } = await sql<{ now: string }>`select clock_timestamp() + interval '1 ms' as now`.execute(db)
    const since = encodeURIComponent(String(rows[0]?.now))
    const id = await write()
    const follower = await followed('/api/prices', since)
    expect(follower.ids()).toEqual([id])
  })

  test('reads rows across thousands of deletions, and a row that was restored', async () => {
    await sql`delete from price`.execute(db)
    await sql`insert into price (product_id, market_id, price_value, collector_name, collected_at, observed_on)
              select ${productId}, ${marketId}, n, 'Amina', now(), current_date from generate_series(1, 2000) n`.execute(
      db,
    )
    const [first] = await inTable()
    await sql`delete from price where price_value between 2 and 1999`.execute(db)
    await sql`delete from price where id = ${first?.id}`.execute(db)
    await sql`insert into price (id, product_id, market_id, price_value, collector_name, collected_at, observed_on)
              overriding system value values (${first?.id}, ${productId}, ${marketId}, 5, 'Amina', now(), current_date)`.execute(
      db,
    )
    const follower = await followed()
    expect(copied(follower)).toEqual(await inTable())
    expect(follower.copy.size).toBe(2)
  })
})

test.each(['bizarre', Buffer.from('1.2').toString('base64url')])(
  'a cursor that was never issued is refused: %s',
  async (cursor) => {
    await write()
    expectRefusal(await admin.get(`/api/prices?cursor=${cursor}`), 400, {
      field: 'cursor',
      message: 'inconnu',
    })
  },
)

describe('changes more than 90 days old', () => {
  const later = () => new Date(Date.now() + 91 * dayMs)
  const entries = async () =>
    (await sql`select from row_change where of_table = 'price'`.execute(db)).rows.length
  const expired = async (cursor: string) => {
    expect(await admin.get(`/api/prices?cursor=${cursor}`)).toMatchObject({
      status: 410,
      body: { code: 'cursor_expired', message: expect.stringContaining('cursor=start') },
    })
  }
  const cursorNow = async () => {
    const follower = await followed()
    return follower.cursor()
  }

  test('are deleted: an older cursor is refused, and a client that starts again has the whole table', async () => {
    const gone = await write()
    const old = await cursorNow()
    await admin.delete(`/api/prices/${gone}`)
    for (let count = 0; count < 5; count++) await write(count + 1)
    const current = await followed()
    const behind = await admin.get(`/api/prices?limit=1&cursor=${old}`)
    await deleteOldChanges(db, later())
    expect(await entries()).toBe(2)
    await expired(old)
    await expired(Object(behind.body).cursor)
    for (const since of ['2000-01-01', 'start']) {
      expect(copied(await followed('/api/prices', since))).toEqual(await inTable())
    }
    // A client that has read everything continues, and reads later changes.
    const late = await write(77)
    await current.catchUp(admin)
    expect(current.ids()).toContain(late)
    expect(copied(current)).toEqual(await inTable())
    await deleteOldChanges(db, new Date())
    expect(await entries()).toBe(3)
    await deleteOldChanges(db, later())
    expect(await entries()).toBe(2)
    expect(copied(await followed())).toEqual(await inTable())
  })

  test('are deleted without those of later days, which can be read one by one', async () => {
    await write()
    await followed()
    const between = new Date(Date.now() + 90 * dayMs)
    await write()
    const recent = await followed()
    const last = await write()
    await admin.delete(`/api/prices/${last}`)
    await deleteOldChanges(db, between)
    await recent.catchUp(admin)
    expect(copied(recent)).toEqual(await inTable())
  })

  test('are deleted when they were never read, and when no row is left', async () => {
    await sql`delete from price`.execute(db)
    await followed()
    await deleteOldChanges(db, later())
    expect(await entries()).toBe(1)
    await expired(Buffer.from('1.5.7').toString('base64url'))
    const id = await write()
    expect((await followed()).ids()).toEqual([id])
  })

  test('do not stop alerts that were not checked for as long', async () => {
    await write()
    await judgeAlerts(db, new Date())
    for (let count = 0; count < 3; count++) await write(count + 1)
    await followed()
    await deleteOldChanges(db, later())
    await judgeAlerts(db, new Date())
    const { rows } = await sql<{ cursor: string }>`select cursor from alert_reading`.execute(db)
    expect((await admin.get(`/api/prices?cursor=${rows[0]?.cursor}`)).status).toBe(200)
  })
})

test.each(['hier', '2026-13-01'])('updatedSince=%s is refused', async (since) => {
  expectRefusal(await admin.get(`/api/prices?updatedSince=${since}`), 400, {
    field: 'updatedSince',
    message: '',
  })
})

test('rates, products and markets are followed in the same way', async () => {
  const rate = await admin.post('/api/exchange-rates', { day: '2026-03-02', cdfPerUsd: 2800 })
  const lists = { 'exchange-rates': Number(Object(rate.body).id), products: 0, markets: 0 }
  const followers = Object.fromEntries(
    Object.keys(lists).map((name) => [name, startFollower<Copied>(`/api/${name}`)]),
  )
  const catchUp = () => Promise.all(Object.values(followers).map((each) => each.catchUp(admin)))
  await catchUp()
  const [product, market] = [await insertProduct(db), await insertMarket(db)]
  await catchUp()
  expect(followers['exchange-rates']?.copy.has(lists['exchange-rates'])).toBe(true)
  expect([followers.products?.copy.has(product), followers.markets?.copy.has(market)]).toEqual([true, true])
  await admin.put(`/api/products/${product}`, { name: 'Autre nom' })
  await admin.delete(`/api/markets/${market}`)
  await admin.delete(`/api/exchange-rates/${lists['exchange-rates']}`)
  await catchUp()
  expect(followers.products?.copy.get(product)).toMatchObject({ name: 'Autre nom' })
  expect(followers.markets?.copy.has(market)).toBe(false)
  expect(followers['exchange-rates']?.ids()).toEqual([])
})

test('a product is told when its brand, type or category changes in what it shows of them', async () => {
  const [from, into] = [await insertCategory(db), await insertCategory(db)]
  const [type_id, brand_id] = [await insertType(db, { category_id: from }), await insertBrand(db)]
  const id = await insertProduct(db, { type_id, brand_id })
  await insertProduct(db)
  const follower = await followed('/api/products')
  const ofCategory = await followed(`/api/products?categoryId=${from}`)
  const change = async (path: string, body: object) => {
    expect((await admin.put(path, body)).status).toBe(200)
    follower.copy.clear()
    await follower.catchUp(admin)
    expect(follower.ids()).toEqual([id])
    return follower.copy.get(id)
  }
  expect(await change(`/api/brands/${brand_id}`, { name: 'Bralima SA' })).toMatchObject({
    brand: { name: 'Bralima SA' },
  })
  expect(await change(`/api/brands/${brand_id}`, { country: 'Angola' })).toMatchObject({
    brand: { country: 'Angola' },
  })
  expect(await change(`/api/product-types/${type_id}`, { name: 'Bières' })).toMatchObject({
    type: { name: 'Bières' },
  })
  expect(await change(`/api/categories/${from}`, { name: 'Boissons' })).toMatchObject({
    type: { category: { name: 'Boissons' } },
  })
  expect(await admin.post(`/api/categories/${from}/merge`, { intoId: into })).toMatchObject({ status: 200 })
  await Promise.all([follower.catchUp(admin), ofCategory.catchUp(admin)])
  expect(follower.copy.get(id)).toMatchObject({ type: { category: { id: into } } })
  expect(ofCategory.ids()).toEqual([])
  // Changes of columns that products do not show are not noted.
  follower.copy.clear()
  await admin.put(`/api/categories/${into}`, { description: 'Avec ou sans alcool' })
  await follower.catchUp(admin)
  expect(follower.ids()).toEqual([])
})
