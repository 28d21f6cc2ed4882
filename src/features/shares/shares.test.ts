import { sql } from 'kysely'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { addDays, dayIn } from '#shared/days.ts'
import { insertMarket, insertPrice, insertProduct } from '../../../tests/support/catalogue.ts'
import { insertAccount, testServer } from '../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const today = dayIn('Africa/Kinshasa', new Date())

async function shared(isFrozen: boolean) {
  const id = await insertAccount(db, { roles: ['user'], ageDays: 1 })
  const client = await server.clientOf(id)
  const product_id = await insertProduct(db)
  const market_id = await insertMarket(db)
  for (const days of [40, 20, 1]) await insertPrice(db, { product_id, market_id, day: addDays(today, -days) })
  const path = `/series/${product_id}/${market_id}`
  const made = await client.post('/api/shares', { path, search: '', isFrozen })
  expect(made).toMatchObject({ status: 201, body: { path, isFrozen, views: 0 } })
  const share = made.body as { id: string; url: string }
  return { id, client, product_id, market_id, share, page: `/p/${share.id}` }
}

test('a shared price is read without an account, inside a frame of any site only at its own address', async () => {
  const { client, share, page } = await shared(false)
  expect(share.url.endsWith(page)).toBe(true)
  const shown = await server.visitor.send(page, {})
  expect(shown.status).toBe(200)
  expect(shown.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(shown.headers.getSetCookie()).toEqual([])
  const embedded = await server.visitor.send(`${page}/embed`, {})
  expect(embedded.status).toBe(200)
  expect(embedded.headers.get('content-security-policy')).toContain('frame-ancestors *')
  expect((await client.get('/api/shares')).body).toMatchObject({ data: [{ id: share.id, views: 2 }] })
})

test('figures that are frozen stay, others follow', async () => {
  const [frozen, live] = [await shared(true), await shared(false)]
  const { rows } = await sql<{ token: string; last: { price: number } | null; count: number }>`
    select token, frozen -> 'last' as last, (frozen ->> 'count')::integer as count from share
     where token in (${frozen.share.id}, ${live.share.id}) order by frozen is null`.execute(db)
  expect(rows).toMatchObject([
    { token: frozen.share.id, last: { price: 1000 }, count: 3 },
    { token: live.share.id, last: null },
  ])
})

test('a page that is taken back, or whose owner is gone, leads nowhere', async () => {
  const one = await shared(false)
  const other = await shared(false)
  expect((await other.client.delete(`/api/shares/${one.share.id}`)).status).toBe(404)
  expect((await one.client.delete(`/api/shares/${one.share.id}`)).status).toBe(200)
  expect((await server.visitor.send(one.page, {})).status).toBe(404)
  await sql`update app_user set status = 'SUSPENDED' where id = ${other.id}`.execute(db)
  expect((await server.visitor.send(other.page, {})).status).toBe(404)
  for (const nothing of ['/p/inconnu', '/p/a%20b', '/p/1;--']) {
    expect((await server.visitor.send(nothing, {})).status).toBe(404)
  }
})

test('only the page of a price that exists is shared', async () => {
  const { client } = await shared(false)
  for (const path of ['/prices', '/series/2147483000/1', '/series/1', 'https://exemple.cd/series/1/2']) {
    expect(await client.post('/api/shares', { path, search: '', isFrozen: false })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'path' }] },
    })
  }
})

test('a shared page has a picture for messengers, which is no visit and ends with it', async () => {
  const { client, share, page } = await shared(false)
  const picture = await fetch(`${server.url}${page}/image.png`)
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
  const bytes = new Uint8Array(await picture.arrayBuffer())
  expect(bytes.length).toBeLessThan(300_000)
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 })
  // Letters and a course are on it.
  expect((await sharp(bytes).stats()).entropy).toBeGreaterThan(0.3)
  expect((await client.get('/api/shares')).body).toMatchObject({ data: [{ id: share.id, views: 0 }] })
  expect((await client.delete(`/api/shares/${share.id}`)).status).toBe(200)
  for (const gone of [page, '/p/inconnu', '/p/1;--'])
    expect((await fetch(`${server.url}${gone}/image.png`)).status).toBe(404)
})
