import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#server/db/pool.ts'
import { ordinarySlots } from '#server/http/overload.ts'
import { hashPassword } from '#server/session/passwords.ts'
import { timeLimits } from '#server/time-limits.ts'
import { insertMarket, insertPrice, insertProduct } from './support/catalogue.ts'
import { type TestDatabase, testDatabase } from './support/database.ts'
import { expectExactRollups } from './support/exact-rollups.ts'
import { type Fault, startFaultProxy } from './support/fault-proxy.ts'
import { narrowLimits, widenLimits } from './support/limits.ts'
import { type Answer, client, insertAccount, listenOn, openSession } from './support/server.ts'
import { untilWaiting } from './support/waiting.ts'

const direct = await testDatabase()
// These timeouts end requests that hang; their durations are measured in `tests/trials/answers-in-time.trial.ts`.
narrowLimits()
const proxy = await startFaultProxy(direct.connection)
const behindProxy = 'behind the proxy'
const proxied = await openDatabase({ connection: proxy.connection, applicationName: behindProxy })
afterAll(async () => {
  await proxied.close()
  await proxy.close()
})
const { url } = await listenOn({ db: proxied.db, connection: proxy.connection })

const email = 'collecteur@exemple.cd'
const password = 'un mot de passe assez long'
const passwordHash = await hashPassword(password)
const collectorId = await insertAccount(direct.db, { roles: ['collector'], email, passwordHash })
const collector = client(url, await openSession(direct.db, collectorId), collectorId)
const productId = await insertProduct(direct.db)
const marketId = await insertMarket(direct.db)
await insertPrice(direct.db, { product_id: productId, market_id: marketId })

let written = 0
const write = () => {
  written += 1
  const price = { productId, marketId, priceValue: 1500, collectorName: `Relevé ${written}` }
  return collector.post('/api/prices', { ...price, collectedAt: '2026-01-20' })
}
const requests: Record<string, () => Promise<Answer>> = {
  'a list': () => collector.get('/api/prices?limit=50'),
  'a summary': () => collector.get('/api/prices/analytics/summary'),
  'a write': write,
  'signing in': () => client(url, null, null).post('/api/auth/login', { email, password }),
}
const names = Object.keys(requests)

/** Sends every request twice, all at once. */
const askEverything = () =>
  Promise.all([...names, ...names].map(async (name) => ({ name, answer: await requests[name]?.() })))

const refusal = {
  message: expect.stringMatching(/[Rr]éessayez/),
  error: 'Service indisponible',
  errors: [],
  requestId: expect.any(String),
}

function expectRefusal(answer: Answer | undefined, name: string): void {
  expect(answer, name).toMatchObject({ status: 503, body: refusal })
  expect(Number(answer?.headers.get('retry-after')), name).toBeGreaterThan(0)
}

async function expectWell(): Promise<void> {
  const within = { interval: 100 }
  for (const name of names) {
    await expect.poll(async () => (await requests[name]?.())?.status, within).toBeLessThan(300)
  }
  // No broken connection is left: each belongs to the pool, or is the one that listens for notifications.
  const { pool } = proxied
  await expect.poll(() => [pool.waitingCount, pool.totalCount - pool.idleCount], within).toEqual([0, 0])
  await expect.poll(() => proxy.openCount() - pool.totalCount, within).toBe(1)
  const ofPostgres = () =>
    sql<{ n: number }>`select count(*) as n from pg_stat_activity
      where datname = current_database() and application_name in (${behindProxy}, '')`.execute(direct.db)
  await expect.poll(async () => (await ofPostgres()).rows[0]?.n, within).toBe(proxy.openCount())
}

/** Checks that a change of rights made elsewhere applies at once: the connection that listens is back. */
async function expectNotified(): Promise<void> {
  const setStatus = (status: string) =>
    direct.db.updateTable('app_user').set({ status }).where('id', '=', collectorId).execute()
  const status = async () => (await collector.get('/api/auth/me')).status
  const within = { interval: 20 }
  await setStatus('SUSPENDED')
  await expect.poll(status, within).toBe(401)
  await setStatus('ACTIVE')
  await expect.poll(status, within).toBe(200)
}

beforeEach(async () => {
  await proxy.inject(null)
  await expectWell()
  await direct.db.deleteFrom('rate_limit').execute()
})

const broken: [string, Fault][] = [
  ['nobody listens', { kind: 'refuse' }],
  ['connections are reset', { kind: 'reset' }],
  ['nothing passes any more', { kind: 'hang' }],
  ['answers break off at once', { kind: 'cut', afterBytes: 0 }],
  ['answers break off in the middle', { kind: 'cut', afterBytes: 60 }],
]

const slow: [string, Fault][] = [
  ['every answer takes 2 s', { kind: 'latency', ms: 2_000 }],
  ['answers come at 1 kB/s', { kind: 'bandwidth', bytesPerS: 1_000 }],
]

const isSuccess = (answer: Answer | undefined) => answer?.status === 200 || answer?.status === 201

describe('between the server and PostgreSQL', () => {
  test.each(broken)(
    '%s: every request is refused with Retry-After, and all requests work again afterwards',
    async (_, fault) => {
      await proxy.inject(fault)
      for (const { answer, name } of await askEverything()) expectRefusal(answer, name)
      await proxy.inject(null)
      await expectWell()
      await expectNotified()
    },
  )

  test.each(slow)(
    '%s: a request that cannot be answered in time is refused with Retry-After',
    async (_, fault) => {
      await proxy.inject(fault)
      for (const { answer, name } of await askEverything()) {
        if (!isSuccess(answer)) expectRefusal(answer, name)
      }
      await proxy.inject(null)
      await expectWell()
      await expectNotified()
    },
  )

  test.each([true, false])(
    'a price whose statement is cut (done: %s) is written whole or not at all',
    async (isDone) => {
      // The price series is read before it is written: that statement passes.
      await proxy.inject({ kind: 'cut-at', text: `Relevé ${written + 1}`, isDone, passing: 1 })
      expectRefusal(await write(), 'a write')
      await proxy.inject(null)
      expect(await pricesBy(`Relevé ${written}`)).toHaveLength(isDone ? 1 : 0)
      await expectWholeWrites()
    },
  )

  test.each([true, false])(
    'a correction cut at its commit (done: %s) is written whole or not at all',
    async (isDone) => {
      const { id } = (await write()).body as { id: number }
      await proxy.inject({ kind: 'cut-at', text: 'commit\0', isDone })
      const collectorName = `Corrigé ${written}`
      expectRefusal(
        await collector.put(`/api/prices/${id}`, { priceValue: 7, collectorName }),
        'a correction',
      )
      await proxy.inject(null)
      expect(await pricesBy(collectorName)).toHaveLength(isDone ? 1 : 0)
      await expectWholeWrites()
    },
  )

  const pricesBy = (name: string) =>
    direct.db.selectFrom('price').where('collector_name', '=', name).select('id').execute()
})

/** Blocks every writer of prices of a market, until the test ends or releases it. */
async function holdMarket({ pool }: Pick<TestDatabase, 'pool'>, id: number) {
  const holder = await pool.connect()
  let isHeld = true
  const letGo = async () => {
    if (isHeld) await holder.query('rollback')
    if (isHeld) holder.release()
    isHeld = false
  }
  onTestFinished(letGo)
  await holder.query('begin')
  await holder.query('select from market where id = $1 for update', [id])
  return letGo
}

describe('PostgreSQL itself', () => {
  const end = () =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${behindProxy}`.execute(
      direct.db,
    )

  test('ends the connections of requests in flight: they are refused with Retry-After', async () => {
    const letGo = await holdMarket(direct, marketId)
    const inFlight = [write(), write()]
    await untilWaiting(direct.db, 2)
    await end()
    for (const answer of await Promise.all(inFlight)) expectRefusal(answer, 'a write')
    await letGo()
    await expectWell()
  })

  test('accepts no writes: writes are refused with Retry-After, and reads work', async () => {
    const { database } = direct.connection
    await sql`alter database ${sql.id(database)} set default_transaction_read_only = on`.execute(direct.db)
    await end()
    await expect.poll(async () => (await requests['a list']?.())?.status).toBe(200)
    const refused = await write()
    await sql`alter database ${sql.id(database)} reset default_transaction_read_only`.execute(direct.db)
    expectRefusal(refused, 'a write')
    await end()
    await expectWell()
  })
})

test('without a free connection for a reader, since writers wait for a lock, requests that get no turn are refused', async () => {
  widenLimits()
  Object.assign(timeLimits, { turn: 1_000, turnInBurst: 1_000, patience: 1_000 })
  onTestFinished(narrowLimits)
  const own = await testDatabase()
  const { url: address } = await listenOn(own)
  const market_id = await insertMarket(own.db)
  const id = await insertPrice(own.db, { product_id: await insertProduct(own.db), market_id })
  // One user alone could use only one share.
  const [reader, ...crowd] = await Promise.all(
    [0, 1, 2, 3].map(async () => {
      const userId = await insertAccount(own.db, { roles: ['collector'] })
      return client(address, await openSession(own.db, userId), userId)
    }),
  )
  // These clients are known to the server, which treats new clients as visitors of one network.
  for (const each of [reader, ...crowd])
    expect(await each?.get('/api/auth/me')).toMatchObject({ status: 200 })
  const letGo = await holdMarket(own, market_id)
  let refused = 0
  const writers = Array.from({ length: 14 }, () =>
    crowd.map(async (each) => {
      const answer = await each.put(`/api/prices/${id}`, { priceValue: 7 })
      if (answer.status === 503) refused += 1
      return answer
    }),
  ).flat()
  await untilWaiting(own.db, ordinarySlots)
  await expect.poll(() => refused).toBe(writers.length - ordinarySlots)
  expectRefusal(await reader?.get('/api/prices?limit=50'), 'a list')
  await letGo()
  for (const answer of await Promise.all(writers)) {
    if (!isSuccess(answer)) expectRefusal(answer, 'a correction')
  }
  expect(refused).toBe(writers.length - ordinarySlots)
})

test('after all this, every price is stored once, with its audit entry and its rollups', expectWholeWrites)

async function expectWholeWrites(): Promise<void> {
  const { rows } = await sql`
    select collector_name from price where written_by = ${collectorId}
     group by 1 having count(*) <> 1 or count(*) <> (
       select count(distinct entity_id) from audit_entry where entity = 'prices' and after->>'collectorName' = collector_name)`.execute(
    direct.db,
  )
  expect(rows).toEqual([])
  await expectExactRollups(direct.db)
}
