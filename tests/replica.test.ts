// Reads on a real replica, whose replay is paused to make it late: data that a user must see is then read on the
// primary.

import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Embedded } from '#server/db/embedded/embedded.ts'
import { openReplica, type Replica } from '#server/db/replica.ts'
import { insertMarket, insertPrice, insertProduct } from './support/catalogue.ts'
import { startPair } from './support/replica.ts'
import { client, insertAccount, listenOn, openSession } from './support/server.ts'
import { eventually } from './support/waiting.ts'

const pair = await startPair()

test('a user who has not written reads the late replica, and a user who has reads a server that holds the write', async () => {
  const { replica, url, amina, paul, brands } = await world()
  await pair.pause()
  const created = await amina.post('/api/brands', { name: 'Bralima', country: 'RD Congo' })
  expect(created.status, created.text).toBe(201)
  const position = created.headers.get('ntalo-position') ?? ''
  const cookie = created.headers.getSetCookie().find((each) => each.startsWith('ntalo_position='))
  expect(cookie).toMatch(/HttpOnly/)
  expect(await brands(paul)).toEqual([])
  expect(await brands(amina, { cookie: cookie?.split(';')[0] ?? '' })).toEqual(['Bralima'])
  expect(await brands(amina, { 'ntalo-position': position })).toEqual(['Bralima'])
  for (const nonsense of ['', 'x', '0/', 'ZZ/1', '%00', '1/1/1'])
    expect(await brands(paul, { 'ntalo-position': nonsense, cookie: `ntalo_position=${nonsense}` })).toEqual(
      [],
    )
  // Another process, which has not seen the write.
  const other = await serving(replica)
  const elsewhere = client(other.url, paul.token, paul.userId)
  expect(await brands(elsewhere)).toEqual([])
  expect(await brands(elsewhere, { 'ntalo-position': position })).toEqual(['Bralima'])
  await pair.resume()
  await pair.caughtUp()
  expect(await brands(paul)).toEqual(['Bralima'])
  expect(url).not.toBe(other.url)
})

test('a session that is ended is over at once, however late the replica is', async () => {
  const { amina, paul, brands } = await world()
  await pair.pause()
  expect(await brands(paul)).toEqual([])
  const put = await amina.put(`/api/users/${paul.userId}`, { status: 'INACTIVE' })
  expect(put.status, put.text).toBe(200)
  expect((await paul.get('/api/brands')).status).toBe(401)
  expect((await amina.get('/api/brands')).status).toBe(200)
})

test('a page notified of a price by the feed reads it, however late the replica is', async () => {
  const { amina, paul, db } = await world()
  const [productId, marketId] = [
    await insertProduct(db, { name: 'Riz' }),
    await insertMarket(db, { name: 'Zando' }),
  ]
  await pair.caughtUp()
  await pair.pause()
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const stream = await fetch(`${amina.url}/api/prices/live`, {
    headers: { authorization: `Bearer ${paul.token}` },
    signal: leaving.signal,
  })
  const heard = frames(stream)
  await heard.next()
  const price = { productId, marketId, priceValue: 2500, currency: 'CDF', collectorName: 'Amina' }
  const written = await amina.post('/api/prices', price)
  expect(written.status, written.text).toBe(201)
  const told: Record<string, string>[] = []
  for await (const frame of heard) {
    told.push(frame)
    if (frame.event === 'change') break
  }
  expect(told.map(({ event }) => event)).toEqual(['position', 'change'])
  const position: string = JSON.parse(told[0]?.data ?? '""')
  const total = async (headers: Record<string, string>) =>
    Object((await paul.send('/api/prices', { headers })).body).pagination.total
  expect(await total({})).toBe(0)
  expect(await total({ 'ntalo-position': position })).toBe(1)
})

test('every list, figure and file that a replica serves equals the primary’s, and requests that write while they read still work', async () => {
  const statementsOnReplica = countOn(pair.standby.connection)
  const { amina, replica, db } = await world()
  const [product_id, market_id] = [
    await insertProduct(db, { name: 'Riz' }),
    await insertMarket(db, { name: 'Zando' }),
  ]
  for (const day of ['2026-03-02', '2026-03-09'])
    await insertPrice(db, { product_id, market_id, price_value: 2000, day })
  await pair.caughtUp()
  await eventually('the replica is known to have it', () => replica.lagSeconds() === 0)
  // Changes are listed once every transaction that began before them has ended, such as one of autovacuum.
  const changes = '/api/prices?updatedSince=2020-01-01'
  await eventually('nothing holds the changes back', async () => {
    return Object((await amina.get(changes)).body).data.length === 2
  })
  const onlyPrimary = await serving(null)
  const asBefore = client(onlyPrimary.url, amina.token, amina.userId)
  for (const path of [
    ...[
      '/api/prices',
      '/api/products',
      '/api/markets',
      '/api/categories',
      '/api/brands',
      '/api/exchange-rates',
    ],
    ...['/api/prices/analytics/summary', '/api/statistics/overview?period=1y', '/api/statistics/inflation'],
    ...['/api/prices/export?fileFormat=csv-machine', changes, '/produits'],
    `/api/series/${product_id}/${market_id}`,
  ]) {
    const before = statementsOnReplica()
    const [there, here] = [await amina.get(path), await asBefore.get(path)]
    expect(statementsOnReplica(), path).toBeGreaterThan(before)
    expect([path, there.status], there.text).toEqual([path, 200])
    expect(steady(there.text), path).toBe(steady(here.text))
  }
})

test('a replica that is too late, or gone, is not used, and is used again once it recovers', async () => {
  const { paul, brands, replica } = await world({ longestLagMs: 1 })
  await pair.pause()
  await sql`insert into brand (name, country) values ('Simba', 'RD Congo')`.execute(pair.primary.db)
  await eventually('the replica is too late', async () => (await brands(paul)).length === 1)
  expect(replica.lagSeconds()).toBeGreaterThan(0)
  await pair.resume()
  await eventually('it has caught up', () => replica.lagSeconds() === 0)
  await pair.standby.stop()
  for (let n = 0; n < 5; n++) expect(await brands(paul)).toEqual(['Simba'])
  await eventually('it is known to be gone', () => replica.lagSeconds() === null)
  expect(await brands(paul)).toEqual(['Simba'])
})

const steady = (text: string) => text.replaceAll(/"cursor":"[^"]*"|nonce-[\w+/=-]+/g, '')

/** Counts the statements on a server, by connections opened from now on, except those that look how late it is. */
function countOn({ host }: Embedded['connection']): () => number {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  onTestFinished(() => query.mockRestore())
  const isCounted = ([statement]: unknown[], index: number) =>
    Object(query.mock.contexts[index]).host === host && !String(statement).includes('pg_last_wal_replay_lsn')
  return () => query.mock.calls.filter(isCounted).length
}

/** Starts a server process with two readers; the database contains only what a test inserts. */
async function world(options: { longestLagMs?: number } = {}) {
  await pair.resume()
  await pair.primary.pool.query('truncate price, product, market, brand cascade')
  const { db, pool, connection } = pair.primary
  const replica = await openReplica({
    connection: pair.standby.connection,
    primary: pool,
    primaryConnection: connection,
    // A paused replica is late on purpose.
    longestLagMs: options.longestLagMs ?? 3_600_000,
  })
  onTestFinished(() => replica.close())
  const { url } = await serving(replica)
  const as = async (role: string) => {
    const userId = await insertAccount(db, { roles: [role] })
    return { ...client(url, await openSession(db, userId), userId), url }
  }
  const [amina, paul] = [await as('admin'), await as('admin')]
  await pair.caughtUp()
  await eventually('the replica serves', () => replica.lagSeconds() === 0)
  const brands = async (who: { send: typeof amina.send }, headers: Record<string, string> = {}) => {
    const { status, text, body } = await who.send('/api/brands', { headers })
    expect(status, text).toBe(200)
    return (Object(body).brands as { name: string }[]).map(({ name }) => name)
  }
  return { replica, url, db, amina, paul, brands }
}

function serving(replica: Replica | null) {
  return listenOn(pair.primary, { replica })
}

async function* frames(response: Response): AsyncGenerator<Record<string, string>> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (reader) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = (text + value).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks)
      yield Object.fromEntries(block.split('\n').map((line) => line.split(/: ?(.*)/s).slice(0, 2)))
  }
}
