import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '#server/db/pool.ts'
import { insertMarket, insertProduct } from '../support/catalogue.ts'
import { testDatabase } from '../support/database.ts'
import { type Fault, startFaultProxy } from '../support/fault-proxy.ts'
import { narrowLimits } from '../support/limits.ts'
import { client, insertAccount, listenOn, openSession } from '../support/server.ts'

/** Longest wait (ms) of a user, whatever happens to the database. */
const answeredWithinMs = 5_000

const direct = await testDatabase()
narrowLimits()
const proxy = await startFaultProxy(direct.connection)
const proxied = await openDatabase({ connection: proxy.connection })
afterAll(proxied.close)
const { url } = await listenOn({ db: proxied.db, connection: proxy.connection })
// Registered last and so run first: the server and its pool wait for the database to close their connections.
afterAll(proxy.close)
const userId = await insertAccount(direct.db, { roles: ['collector'] })
const collector = client(url, await openSession(direct.db, userId), userId)
const price = {
  productId: await insertProduct(direct.db),
  marketId: await insertMarket(direct.db),
  priceValue: 1500,
  collectorName: 'Amina',
  collectedAt: '2026-01-20',
}
const requests = [
  () => collector.get('/api/prices?limit=50'),
  () => collector.get('/api/prices/analytics/summary'),
  () => collector.post('/api/prices', price),
]

const faults: [string, Fault][] = [
  ['nobody listens', { kind: 'refuse' }],
  ['connections are reset', { kind: 'reset' }],
  ['nothing passes any more', { kind: 'hang' }],
  ['answers break off in the middle', { kind: 'cut', afterBytes: 60 }],
  ['every answer takes 2 s', { kind: 'latency', ms: 2_000 }],
  ['answers come at 1 kB/s', { kind: 'bandwidth', bytesPerS: 1_000 }],
]

test.each(faults)('%s: every request is answered within five seconds', async (_, fault) => {
  await proxy.inject(null)
  await expect.poll(async () => (await collector.get('/api/auth/me')).status).toBe(200)
  await proxy.inject(fault)
  const startedAt = performance.now()
  const answers = await Promise.all([...requests, ...requests].map((ask) => ask()))
  expect(performance.now() - startedAt).toBeLessThan(answeredWithinMs)
  for (const { status } of answers) expect([200, 201, 503]).toContain(status)
})

test('control: the timeouts of the pool alone would make requests to a silent database wait longer', async () => {
  await proxy.inject({ kind: 'hang' })
  const startedAt = performance.now()
  await expect(proxied.pool.query('select 1')).rejects.toThrow()
  expect(performance.now() - startedAt).toBeGreaterThan(answeredWithinMs)
})
