import { join } from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { loadViews } from '#server/views.ts'
import { addDays, dayInKinshasa } from '#shared/days.ts'
import { insertMarket, insertPrice, insertProduct } from '../../../tests/support/catalogue.ts'
import { insertAccount, testServer } from '../../../tests/support/server.ts'

const views = await loadViews(join(import.meta.dirname, '../../../dist'))
const server = await testServer({ views })
const { db } = server
const today = dayInKinshasa(new Date())

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
  expect(new URL(share.url).pathname).toBe(page)
  const shown = await server.visitor.send(page, {})
  expect(shown.status).toBe(200)
  expect(shown.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(shown.headers.getSetCookie()).toEqual([])
  const embedded = await server.visitor.send(`${page}/embed`, {})
  expect(embedded.status).toBe(200)
  expect(embedded.headers.get('content-security-policy')).toContain('frame-ancestors *')
  expect((await client.get('/api/shares')).body).toMatchObject({ data: [{ id: share.id, views: 2 }] })
})

test('frozen figures do not change, others follow new prices', async () => {
  const [frozen, live] = [await shared(true), await shared(false)]
  const { rows } = await sql<{ token: string; last: { price: number } | null; count: number }>`
    select token, frozen -> 'last' as last, (frozen ->> 'count')::integer as count from share
     where token in (${frozen.share.id}, ${live.share.id}) order by frozen is null`.execute(db)
  expect(rows).toMatchObject([
    { token: frozen.share.id, last: { price: 1000 }, count: 3 },
    { token: live.share.id, last: null },
  ])
})

test('a page that was withdrawn, or whose owner was deleted, leads nowhere', async () => {
  const one = await shared(false)
  const other = await shared(false)
  expect((await other.client.delete(`/api/shares/${one.share.id}`)).status).toBe(404)
  expect((await one.client.delete(`/api/shares/${one.share.id}`)).status).toBe(200)
  const gone = await server.visitor.send(one.page, {})
  expect([gone.status, gone.headers.get('content-security-policy')]).toEqual([
    404,
    expect.stringContaining("frame-ancestors 'none'"),
  ])
  const embedded = await server.visitor.send(`${one.page}/embed`, {})
  expect([embedded.status, embedded.headers.get('content-security-policy')]).toEqual([
    404,
    expect.stringContaining('frame-ancestors *'),
  ])
  await sql`update app_user set status = 'SUSPENDED' where id = ${other.id}`.execute(db)
  expect((await server.visitor.send(other.page, {})).status).toBe(404)
  for (const nothing of ['/p/inconnu', '/p/a%20b', '/p/1;--']) {
    expect((await server.visitor.send(nothing, {})).status).toBe(404)
  }
})

test('current figures are shown while their owner may read prices, frozen ones also after', async () => {
  const [frozen, live] = [await shared(true), await shared(false)]
  for (const { id } of [frozen, live])
    await sql`update app_user set created_at = now() - interval '40 days' where id = ${id}`.execute(db)
  expect((await server.visitor.send(frozen.page, {})).status).toBe(200)
  for (const part of ['', '/embed', '/image.png'])
    expect((await server.visitor.send(`${live.page}${part}`, {})).status).toBe(404)
})

test('a share with frozen figures can be withdrawn after its owner’s access has ended', async () => {
  const { id, client, share, page } = await shared(true)
  await sql`update app_user set created_at = now() - interval '40 days' where id = ${id}`.execute(db)
  // The server is notified of the change a moment later.
  await expect.poll(async () => (await client.get('/api/prices?limit=1')).status).toBe(402)
  expect((await client.post('/api/shares', { path: '/prices', search: '' })).status).toBe(402)
  expect((await client.get('/api/shares')).body).toMatchObject({ data: [{ id: share.id }] })
  expect((await client.delete(`/api/shares/${share.id}`)).status).toBe(200)
  expect((await server.visitor.send(page, {})).status).toBe(404)
})

test('a price that was never quoted has a picture too', async () => {
  const { client } = await shared(false)
  const [product, market] = [await insertProduct(db), await insertMarket(db)]
  const made = await client.post('/api/shares', { path: `/series/${product}/${market}`, search: '' })
  const picture = await fetch(`${server.url}/p/${(made.body as { id: string }).id}/image.png`)
  expect(picture.status).toBe(200)
})

test('only pages with figures, and prices that exist, can be shared', async () => {
  const { client } = await shared(false)
  const refused = [
    ['/series/2147483000/1', ''],
    ['/series/1', ''],
    ['/users', ''],
    ['https://exemple.cd/series/1/2', ''],
    ['/statistiques/comparaison', ''],
    ['/statistiques/comparaison', 'series=2147483000-1'],
    ['/prices', 'productId=riz'],
    // Names of collectors are not shared.
    ['/prices', 'collectorName=Kabila'],
    ['/rapports', 'report=1'],
    ['/rapports', ''],
  ]
  for (const [path, search] of refused) {
    expect(await client.post('/api/shares', { path, search, isFrozen: false })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'path' }] },
    })
  }
})

test('filters that are not encoded as in an address are refused', async () => {
  const { client } = await shared(false)
  for (const search of ['a=\u0000', 'search=farine de maïs']) {
    expect(await client.post('/api/shares', { path: '/prices', search })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'search' }] },
    })
  }
})

test('pages with charts are shared with their filters: frozen ones do not change, others follow', async () => {
  const { client, product_id, market_id } = await shared(false)
  const pages = [
    ['/prices', `productId=${product_id}&marketId=${market_id}&period=90`],
    ['/statistiques/comparaison', `series=${product_id}-${market_id}`],
    ['/statistiques/carte', `?productId=${product_id}&measure=change`],
    ['/statistiques/inflation', ''],
  ]
  for (const [path, search] of pages) {
    const made = async (isFrozen: boolean) => {
      const answer = await client.post('/api/shares', { path, search, isFrozen })
      expect(answer).toMatchObject({ status: 201, body: { path, isFrozen } })
      return (answer.body as { id: string }).id
    }
    const [frozen, live] = [await made(true), await made(false)]
    // The first visit of a live page comes after this price.
    await insertPrice(db, { product_id, market_id, day: today, price_value: 98_765 })
    const textOf = async (id: string) => {
      const shown = await fetch(`${server.url}/p/${id}`)
      expect([path, shown.status]).toEqual([path, 200])
      return (await shown.text()).replaceAll(/[\u202f\u00a0]/g, ' ')
    }
    expect(await textOf(frozen)).toContain('Chiffres figés le')
    expect(await textOf(live)).toContain('Les chiffres suivent les derniers relevés')
    if (path === '/statistiques/comparaison') {
      expect(await textOf(live)).toContain('98 765')
      expect(await textOf(frozen)).not.toContain('98 765')
    }
    if (path === '/statistiques/carte') expect(await textOf(live)).toContain('Variation dans chaque province')
    await sql`delete from price where price_value = 98765`.execute(db)
    const [embed, picture] = [
      await fetch(`${server.url}/p/${live}/embed`),
      await fetch(`${server.url}/p/${live}/image.png`),
    ]
    expect([embed.status, picture.status]).toEqual([200, 200])
    expect((await picture.arrayBuffer()).byteLength).toBeLessThan(300_000)
  }
})

test('a report is shared only by its owner, with the current figures', async () => {
  const { client } = await shared(false)
  const other = await shared(false)
  const block = { kind: 'text', title: 'Ce mois', text: 'Le riz monte à Goma.' }
  const report = await client.post('/api/reports', {
    title: 'Bulletin',
    blocks: [block],
    schedule: null,
    recipients: [],
  })
  const body = { path: '/rapports', search: `report=${(report.body as { id: number }).id}`, isFrozen: false }
  expect((await other.client.post('/api/shares', body)).status).toBe(400)
  const made = await client.post('/api/shares', body)
  expect(made).toMatchObject({ status: 201, body: { title: 'Bulletin' } })
  const page = `${server.url}/p/${(made.body as { id: string }).id}`
  expect(await (await fetch(page)).text()).toContain('Le riz monte à Goma.')
})

test('a shared page has a picture for messengers, which counts as no visit and is removed with it', async () => {
  const { client, share, page } = await shared(false)
  const picture = await fetch(`${server.url}${page}/image.png`)
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png'])
  const bytes = new Uint8Array(await picture.arrayBuffer())
  expect(bytes.length).toBeLessThan(300_000)
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 })
  // The picture contains text and a curve.
  expect((await sharp(bytes).stats()).entropy).toBeGreaterThan(0.3)
  expect((await client.get('/api/shares')).body).toMatchObject({ data: [{ id: share.id, views: 0 }] })
  expect((await client.delete(`/api/shares/${share.id}`)).status).toBe(200)
  for (const gone of [page, '/p/inconnu', '/p/1;--'])
    expect((await fetch(`${server.url}${gone}/image.png`)).status).toBe(404)
})
