import { createServer, connect as dial } from 'node:net'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../../../tests/support/database.ts'
import { waitLimitMs } from '../../../tests/support/wait-limit.ts'
import { eventually } from '../../../tests/support/waiting.ts'
import { isUnavailable } from './errors.ts'
import { type Db, openDatabase } from './pool.ts'
import { inTransaction } from './transaction.ts'

const { pool, connection } = await testDatabase()
await pool.query(`
  create table written (n int);
  create function wait_for_turn() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(7); return null; end $$;
  create table slow (n int);
  create trigger waits after insert on slow for each row execute function wait_for_turn();
  create table slow_commit (n int);
  create constraint trigger waits after insert on slow_commit deferrable initially deferred
    for each row execute function wait_for_turn()`)
const { db, pool: victims, close } = await openDatabase({ connection, applicationName: 'victim', max: 2 })
const terminate = `select pg_terminate_backend(pid, ${waitLimitMs}) from pg_stat_activity where application_name = 'victim'`

// Another session holds number 7, so that statements on it wait until the test releases it.
let holder: pg.PoolClient
const release = () => holder.query('select pg_advisory_unlock(7)')
beforeEach(async () => {
  // A pool learns of a connection's end later than the server: no test starts with one that is already dead.
  await pool.query(terminate)
  await eventually('the pool has noticed the ends of its connections', () => victims.totalCount === 0)
  holder = await pool.connect()
  await holder.query('select pg_advisory_lock(7)')
})
afterEach(async () => {
  holder.release(true)
  await pool.query('delete from written; delete from slow; delete from slow_commit')
})

/** Ends the connections of the victim once one of them waits, and then releases the lock. */
async function cutWhileWaiting(): Promise<void> {
  await eventually('the statement waits', async () => {
    const { rowCount } = await pool.query(
      `select from pg_stat_activity where application_name = 'victim' and wait_event = 'advisory'`,
    )
    return rowCount === 1
  })
  await pool.query(terminate)
  await release()
}

const count = async (table: 'written' | 'slow' | 'slow_commit') =>
  (await pool.query(`select count(*) as n from ${table}`)).rows[0].n
const write = (on: Db, table = 'written') => sql`insert into ${sql.table(table)} values (1)`.execute(on)

test('a read whose connection is ended is retried', async () => {
  const reading = sql<{ one: number }>`select 1 as one, pg_advisory_xact_lock(7)`.execute(db)
  await cutWhileWaiting()
  expect((await reading).rows).toMatchObject([{ one: 1 }])
})

test('a transaction whose connection is ended halfway is retried, and takes effect once', async () => {
  let attempts = 0
  const writing = inTransaction(db, async (tx) => {
    attempts += 1
    await write(tx)
    await sql`select pg_advisory_xact_lock(7)`.execute(tx)
    return 'done'
  })
  await cutWhileWaiting()
  expect(await writing).toBe('done')
  expect([attempts, await count('written')]).toEqual([2, 1])
})

test('a transaction cut during its commit is not retried: its result is unknown', async () => {
  let attempts = 0
  const writing = inTransaction(db, async (tx) => {
    attempts += 1
    await write(tx, 'slow_commit')
  })
  const outcome = writing.catch((error: unknown) => error)
  await cutWhileWaiting()
  expect(await outcome).toSatisfy(isUnavailable)
  expect([attempts, await count('slow_commit')]).toEqual([1, 0])
})

test('a write without a transaction is not retried: it commits on its own', async () => {
  const outcome = write(db, 'slow').catch((error: unknown) => error)
  await cutWhileWaiting()
  expect(await outcome).toSatisfy(isUnavailable)
  expect(await count('slow')).toBe(0)
})

test('a read after a write on the same connection is not moved to another', async () => {
  const outcome = db
    .connection()
    .execute(async (one) => {
      await sql`set application_name = 'victim'`.execute(one)
      await sql`select pg_advisory_xact_lock(7)`.execute(one)
    })
    .catch((error: unknown) => error)
  await cutWhileWaiting()
  expect(await outcome).toSatisfy(isUnavailable)
})

test('a refusal of the application is not hidden by a lost connection', async () => {
  await release()
  const refused = inTransaction(db, async (tx) => {
    await write(tx)
    await pool.query(terminate)
    throw new Error('refused')
  })
  await expect(refused).rejects.toThrow('refused')
})

test('a proxy without a primary for a moment is tried again, for reads and writes', async () => {
  await release()
  let turnedAway = 0
  const proxy = createServer((socket) => {
    if (turnedAway < 2) {
      turnedAway += 1
      socket.destroy()
      return
    }
    const upstream = dial(`${connection.host}/.s.PGSQL.${connection.port}`)
    for (const end of [socket, upstream]) end.on('error', () => {}).on('close', () => upstream.destroy())
    socket.pipe(upstream).pipe(socket)
  })
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  onTestFinished(() => void proxy.close())
  const away = { ...connection, host: '127.0.0.1', port: Object(proxy.address()).port }
  turnedAway = 2
  const through = await openDatabase({ connection: away, applicationName: 'victim' })
  onTestFinished(through.close)
  for (const ask of [() => sql`select 1`.execute(through.db), () => write(through.db)]) {
    await pool.query(terminate)
    await eventually('the pool has noticed', () => through.pool.idleCount === 0)
    turnedAway = 0
    await ask()
    expect(turnedAway).toBe(2)
  }
  expect(await count('written')).toBe(1)
})

test('closing ends the connections', async () => {
  await sql`select 1`.execute(db)
  const open = async () =>
    (await pool.query(`select from pg_stat_activity where application_name = 'victim'`)).rowCount
  expect(await open()).toBe(1)
  await close()
  await eventually('no connection is open', async () => (await open()) === 0)
})
