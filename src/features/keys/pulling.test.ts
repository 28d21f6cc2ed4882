import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { insertMarket, insertProduct } from '../../../tests/support/catalogue.ts'
import { expectRefusal } from '../../../tests/support/price-calls.ts'
import { insertAccount, testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const [productId, marketId] = [await insertProduct(db), await insertMarket(db)]
await sql`insert into price (product_id, market_id, price_value, collector_name, collected_at, observed_on)
          select ${productId}, ${marketId}, n, 'Amina', now(), current_date from generate_series(1, 1200) n`.execute(
  db,
)

const userId = await insertAccount(db, { roles: ['manager'] })
const session = await server.clientOf(userId)
const scopes = ['prices.read', 'markets.read', 'catalogue.read']
const made = await session.post('/api/keys', { name: 'Tableur', scopes })
const get = (path: string, headers: Record<string, string> = {}) =>
  server.visitor.send(path, { headers: { authorization: `Bearer ${Object(made.body).key}`, ...headers } })

describe('a list', () => {
  test('has pages of 1 000 for a key, of 200 in a session', async () => {
    const { status, body } = await get('/api/prices?limit=1000&sort=priceValue')
    expect([status, Object(body).data.length, Object(body).pagination.pages]).toEqual([200, 1000, 2])
    expectRefusal(await get('/api/prices?limit=1001'), 400, { field: 'limit', message: '1\u202f000' })
    expectRefusal(await session.get('/api/prices?limit=201'), 400, { field: 'limit', message: 'de 1 à 200' })
    expectRefusal(await session.get('/api/statistics/brands/ranking?limit=201'), 400, { field: 'limit' })
  })

  test.each([
    ['/api/prices', 'data'],
    ['/api/products', 'products'],
    ['/api/markets', 'data'],
  ])('of %s contains only the requested fields', async (path, listed) => {
    const { status, body } = await get(`${path}?limit=1&fields=id`)
    const { [listed]: rows, pagination } = Object(body)
    expect([status, rows.map(Object.keys), pagination.page]).toEqual([200, [['id']], 1])
  })

  test('of prices, markets or rates is the file for programs with format=csv', async () => {
    const path = `/api/prices?productId=${productId}&sort=priceValue&format=csv`
    const [short, long] = [await get(path), await get(path.replace('?', '/export?'))]
    expect(short.status).toBe(200)
    expect(short.headers.get('content-type')).toMatch(/^text\/csv/)
    expect(short.text).toBe(long.text)
    const [heading, first] = short.text.split('\r\n')
    expect(heading).toMatch(/^id,observed_on,.*,price,currency,/)
    expect(first).toContain(',1.00,CDF,')
    expect((await get('/api/markets?format=csv')).text).toMatch(/^[a-z]\w*,/i)
    expect((await get('/api/exchange-rates?format=csv')).status).toBe(200)
    expect((await get(`${path}&cursor=start`)).headers.get('content-type')).toContain('json')
    expect((await server.visitor.get(path)).status).toBe(401)
  })

  test('with unknown fields is refused with the known ones', async () => {
    expectRefusal(await get('/api/prices?fields=id,secret'), 400, { field: 'fields', message: 'priceValue' })
    expectRefusal(await session.get('/api/prices?fields=writtenBy'), 400, { field: 'fields' })
  })

  test('of changes may also be limited to some fields', async () => {
    const { body } = await get('/api/prices?updatedSince=2000-01-01&limit=1000&fields=id,priceValue')
    expect(Object(body).data).toHaveLength(1000)
    expect(Object.keys(Object(body).data[0])).toEqual(['id', 'priceValue'])
    expect(body).toMatchObject({ deleted: [], hasMore: true })
  })

  test('that a key has received already is not sent again, and costs no call', async () => {
    const used = async () => Object((await session.get('/api/usage')).body).data[1].used
    const first = await get('/api/prices?limit=2')
    const etag = first.headers.get('etag') ?? ''
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    const before = await used()
    const again = await get('/api/prices?limit=2', { 'if-none-match': etag })
    expect([again.status, again.text]).toEqual([304, ''])
    expect(await used()).toBe(before)
    await sql`update price set price_value = 7 where id = ${Object(first.body).data[0].id}`.execute(db)
    const changed = await get('/api/prices?limit=2', { 'if-none-match': etag })
    expect(changed.status).toBe(200)
    expect(await used()).toBe(before + 1)
    expect((await session.get('/api/prices?limit=2')).headers.get('etag')).toBeNull()
  })
})
