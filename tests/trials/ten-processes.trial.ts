import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startEmbedded } from '#server/db/embedded/embedded.ts'
import { openDatabase } from '#server/db/pool.ts'
import { hashPassword } from '#server/session/passwords.ts'
import { groupBy } from '#shared/group-by.ts'
import { insertMarket, insertProduct } from '../support/catalogue.ts'
import { privateDirectory, quiet } from '../support/embedded.ts'
import { follow } from '../support/follow.ts'
import { startServer } from '../support/kill-trial.ts'
import { freePorts } from '../support/patroni.ts'
import { client, insertAccount, openSession } from '../support/server.ts'
import { eventually } from '../support/waiting.ts'

const processes = 10

const { db, pool, urls } = await startProcesses()
const userId = await insertAccount(db, { roles: ['collector'] })
const token = await openSession(db, userId)
const desks = urls.map((url) => client(url, token, userId))
const subject = { productId: await insertProduct(db), marketId: await insertMarket(db) }

/** Starts ten processes of the server on one PostgreSQL that accepts all their connections. */
async function startProcesses() {
  const dataDir = privateDirectory(afterAll)
  const relaxedSettings = { max_connections: '200' }
  const embedded = await startEmbedded({ dataDir, role: 'tool', log: quiet, relaxedSettings })
  afterAll(() => embedded.stop())
  const { host, port, user, database: name } = embedded.connection
  const settings = {
    DATABASE_URL: `postgres://${user}@/${name}?host=${encodeURIComponent(host)}&port=${port}`,
    DATABASE_POOL: '6',
    LOG_LEVEL: 'error',
  }
  const ports = await freePorts(processes)
  for (const each of ports) {
    const server = await startServer(privateDirectory(afterAll), each, { settings })
    afterAll(() => void server.kill('SIGKILL'))
  }
  const database = await openDatabase({ connection: embedded.connection })
  afterAll(() => database.close())
  return { ...database, urls: ports.map((each) => `http://127.0.0.1:${each}`) }
}

async function addPrice(process: number, collectedAt = '2026-01-15'): Promise<number> {
  const price = { ...subject, priceValue: 1000 + process, collectorName: 'Amina', collectedAt }
  const answer = await desks[process % processes]!.post('/api/prices', price)
  expect(answer.status, answer.text).toBe(201)
  return Object(answer.body).id
}

test('a price written at one process is in the feed of each of the ten, under the same ids', async () => {
  const readers = []
  for (const url of urls) {
    // A user may have eight streams.
    const readerId = await insertAccount(db, { roles: ['collector'] })
    const reader = await follow(
      `${url}/api/prices/live`,
      client(url, await openSession(db, readerId), readerId),
    )
    expect((await reader.next()).event).toBe('ready')
    readers.push(reader)
  }
  const written: number[] = []
  for (let process = 0; process < processes; process++) written.push(await addPrice(process))
  const heard = await Promise.all(
    readers.map(async (reader) => {
      const heardIds = new Map<number, string>()
      while (heardIds.size < written.length) {
        const { id, data } = await reader.next()
        for (const price of Object(data).prices ?? []) heardIds.set(price.id, id)
      }
      return [...heardIds].sort(([one], [other]) => one - other)
    }),
  )
  expect(heard[0]?.map(([id]) => id)).toEqual(written)
  for (const each of heard) expect(each).toEqual(heard[0])
})

test('wrong passwords sent to all ten at once are limited to as many tries as at one process', async () => {
  const { email } = await db
    .updateTable('app_user')
    .set({ password_hash: await hashPassword('le bon mot de passe') })
    .where('id', '=', await insertAccount(db, { roles: ['collector'] }))
    .returning('email')
    .executeTakeFirstOrThrow()
  const attempts = Array.from({ length: 25 }, async (_, index) => {
    const visitor = client(urls[index % processes] ?? '', null, null)
    return (await visitor.post('/api/auth/login', { email, password: `deviné ${index}` })).status
  })
  const counted = groupBy(await Promise.all(attempts), (status) => status)
  expect([counted.get(401)?.length, counted.get(429)?.length]).toEqual([10, 15])
  for (const url of urls) {
    const right = { email, password: 'le bon mot de passe' }
    expect((await client(url, null, null).post('/api/auth/login', right)).status).toBe(429)
  }
})

test('indices are fitted by one process at a time, whatever the number of processes', async () => {
  await pool.query(`
    create table fit_seen (pid int, began timestamptz, ended timestamptz);
    create function note_fit() returns trigger language plpgsql as
      $$ begin insert into fit_seen values (pg_backend_pid(), now(), clock_timestamp()); return null; end $$;
    create trigger note_fit after update on price_index_fit for each row execute function note_fit()`)
  onTestFinished(async () => void (await pool.query('drop function note_fit cascade')))
  const seen = async () =>
    (
      await pool.query<{ pid: number; isOverlapping: boolean }>(
        `select pid, coalesce(began < max(ended) over (order by began rows between unbounded preceding and 1 preceding), false)
                  as "isOverlapping" from fit_seen`,
      )
    ).rows
  let turn = 0
  await eventually('indices are fitted again and again', async () => {
    for (let n = 0; n < processes; n++, turn++) await addPrice(turn, `2026-01-${10 + (turn % 20)}`)
    return (await seen()).length >= 8
  })
  const fits = await seen()
  console.log(`${turn} prices by ${processes} processes: ${fits.length} fits, none beside another`)
  expect(fits.filter(({ isOverlapping }) => isOverlapping)).toEqual([])
  // Fits are merged: there are fewer fits than prices written.
  expect(fits.length).toBeLessThan(turn)
  const { rows } = await pool.query(`select count(*) as n from job where task = 'fit price indices'`)
  expect(rows).toEqual([{ n: 1 }])
})
