import { sql } from 'kysely'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { isStatementCancelled } from '#server/db/errors.ts'
import { openDatabase } from '#server/db/pool.ts'
import { claimJob, listFailingTasks, lockJob, openLockPool, sweepGivenUp } from '#server/jobs/jobs.sql.ts'
import { type Attempt, defineJob, type JobRunner, startJobs, type Task } from '#server/jobs/jobs.ts'
import { createLog } from '#server/log.ts'
import { testDatabase } from '../../../tests/support/database.ts'
import { waitLimitMs } from '../../../tests/support/wait-limit.ts'

const { db, connection } = await testDatabase()
const greeting = defineJob('greet', z.object({ name: z.string() }))
const greet = { name: 'greet', everyMs: 3_600_000 }

const runners: JobRunner[] = []
afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop()))
  await db.deleteFrom('job').execute()
})

function start(...tasks: Task[]): JobRunner {
  const runner = startJobs({ db, connection, tasks, log: createLog('silent') })
  runners.push(runner)
  return runner
}

const jobs = () => db.selectFrom('job').selectAll().orderBy('id').execute()
/** Makes every delayed job due now. */
const hasten = () =>
  db
    .updateTable('job')
    .set({ run_at: new Date(0) })
    .execute()

test('a job is done once, after the transaction that enqueued it', async () => {
  const greeted: string[] = []
  start(greeting.doneBy(async ({ name }) => void greeted.push(name)))
  await db.transaction().execute(async (tx) => {
    await greeting.add(tx, { name: 'Amina' })
    expect(greeted).toEqual([])
  })
  await expect.poll(jobs, { interval: 5 }).toEqual([])
  expect(greeted).toEqual(['Amina'])
})

test('a job is due at the instant that it is enqueued, however the database rounds it', async () => {
  for (let n = 1; n <= 20; n++) {
    await db.transaction().execute(async (tx) => {
      await greeting.add(tx, { name: `personne ${n}` })
      expect(await claimJob(tx, [greet])).toMatchObject({ job: { payload: { name: `personne ${n}` } } })
      // A claimed job is due again after a second, in which a slow machine may not claim twenty.
      await tx.deleteFrom('job').execute()
    })
  }
})

test('a job enqueued in a transaction that is rolled back is never done', async () => {
  const greeted: string[] = []
  start(greeting.doneBy(async ({ name }) => void greeted.push(name)))
  const undone = db.transaction().execute(async (tx) => {
    await greeting.add(tx, { name: 'personne' })
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await greeting.add(db, { name: 'Béni' })
  await expect.poll(() => greeted, { interval: 5 }).toEqual(['Béni'])
})

test('two processes share the jobs, and none is done twice', async () => {
  const greeted: string[] = []
  const task = greeting.doneBy(async ({ name }) => void greeted.push(name))
  start(task)
  start(task)
  const names = Array.from({ length: 40 }, (_, i) => `personne ${i}`)
  for (const name of names) await greeting.add(db, { name })
  await expect.poll(jobs, { interval: 20 }).toEqual([])
  expect(greeted.toSorted()).toEqual(names.toSorted())
})

test('a job that fails is retried later, and meanwhile shows its error', async () => {
  let attempts = 0
  start(
    greeting.doneBy(async () => {
      attempts += 1
      if (attempts === 1) throw new Error('personne ne répond')
    }),
  )
  await greeting.add(db, { name: 'Amina' })
  await expect.poll(jobs, { interval: 5 }).toMatchObject([{ attempts: 1, last_error: 'personne ne répond' }])
  await hasten()
  await expect.poll(jobs, { interval: 20 }).toEqual([])
  expect(attempts).toBe(2)
})

test('a job that keeps failing is in the journal with its cause from the third failure, and in the health check while it lasts', async () => {
  const cause = new Error('la connexion est refusée')
  let isWell = false
  start(
    greeting.doneBy(async () => {
      if (!isWell) throw new Error('personne ne répond', { cause })
    }),
  )
  await greeting.add(db, { name: 'Amina' })
  for (let attempts = 1; attempts <= 4; attempts++) {
    await expect.poll(jobs, { interval: 5 }).toMatchObject([{ attempts, last_error: expect.any(String) }])
    expect(await listFailingTasks(db)).toEqual(attempts < 3 ? [] : ['greet'])
    if (attempts === 4) isWell = true
    await db
      .updateTable('job')
      .set({ run_at: new Date(0) })
      .execute()
  }
  await expect.poll(jobs, { interval: 20 }).toEqual([])
  expect(await listFailingTasks(db)).toEqual([])
  const entries = await db.selectFrom('audit_entry').select('after').where('entity', '=', 'jobs').execute()
  expect(entries).toEqual([
    {
      after: {
        task: 'greet',
        reason: 'personne ne répond ← la connexion est refusée',
        failures: 3,
      },
    },
  ])
})

test('a job that was given up is dropped after a week', async () => {
  for (const days of [6, 8]) {
    await sql`insert into job (task, payload, attempts, last_error, run_at)
              values ('greet', '{}', 12, 'non', now() - make_interval(days => ${days}))`.execute(db)
  }
  await sql`insert into job (task, payload, attempts, run_at)
            values ('greet', '{}', 11, now() - interval '8 days')`.execute(db)
  await sweepGivenUp(db)
  expect((await jobs()).map(({ attempts }) => attempts)).toEqual([12, 11])
})

test('a statement of a job may take longer than one of a request, and one that is cancelled reports it', async () => {
  const impatient = await openDatabase({ connection, statementTimeoutMs: 300 })
  onTestFinished(impatient.close)
  const outcomes: unknown[] = []
  const task = greeting.doneBy(async (_, { connect }) => {
    for (const each of [await connect(600_000), impatient.db]) {
      const outcome = await sql`select pg_sleep(0.8)`.execute(each).catch((error: unknown) => error)
      outcomes.push(isStatementCancelled(outcome) ? 'cut' : 'done')
    }
  })
  start(task)
  await greeting.add(db, { name: 'Amina' })
  await expect.poll(() => outcomes).toEqual(['done', 'cut'])
})

test('the payload of a job is validated', async () => {
  start(greeting.doneBy(async () => {}))
  await db.insertInto('job').values({ task: 'greet', payload: '{}' }).execute()
  await expect.poll(jobs, { interval: 5 }).toMatchObject([{ last_error: expect.stringContaining('name') }])
})

test('stopping interrupts a job and releases it: the next process starts it at once', async () => {
  const isBegun = Promise.withResolvers<void>()
  const first = start(
    greeting.doneBy(async (_, { signal }) => {
      isBegun.resolve()
      await untilAborted(signal)
    }),
  )
  await greeting.add(db, { name: 'Amina' })
  await isBegun.promise
  await first.stop()
  expect(await jobs()).toMatchObject([{ attempts: 0 }])
  const greeted: string[] = []
  start(greeting.doneBy(async ({ name }) => void greeted.push(name)))
  await expect.poll(() => greeted, { interval: 5 }).toEqual(['Amina'])
})

test('a job whose process dies is done by another one', async () => {
  const attempts: Attempt[] = []
  const isBegun = Promise.withResolvers<void>()
  start(
    greeting.doneBy(async (_, attempt) => {
      attempts.push(attempt)
      if (attempts.length > 1) return
      isBegun.resolve()
      await untilAborted(attempt.signal)
    }),
  )
  await greeting.add(db, { name: 'Amina' })
  await isBegun.promise
  // PostgreSQL sees of a killed process only that its connections end.
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
  await expect.poll(jobs, { interval: 20 }).toEqual([])
  expect(attempts).toHaveLength(2)
  expect(attempts[0]?.signal.aborted).toBe(true)
})

test('a running job is not taken by another process, even when it is due again', async () => {
  await greeting.add(db, { name: 'Amina' })
  const { job: slow } = await claimJob(db, [greet])
  await hasten()
  const { job: quick } = await claimJob(db, [greet])
  expect([slow?.attempts, quick?.attempts]).toEqual([1, 2])
  if (!slow || !quick) return
  await hasten()
  const connections = openLockPool(connection, 2)
  onTestFinished(() => connections.end())
  const locked = await lockJob(connections, quick)
  expect(await lockJob(connections, slow)).toBeNull()
  expect(await claimJob(db, [greet])).toMatchObject({ job: null })
  await locked?.finish(undefined)
  expect(await jobs()).toEqual([])
})

test('a job may last longer than the database lets a transaction be idle', async () => {
  const database = sql.ref(connection.database)
  await sql`alter database ${database} set idle_in_transaction_session_timeout = '200ms'`.execute(db)
  onTestFinished(async () => {
    await sql`alter database ${database} reset idle_in_transaction_session_timeout`.execute(db)
  })
  const outcomes: string[] = []
  start(
    greeting.doneBy(async (_, { signal }) => {
      await sql`select pg_sleep(0.8)`.execute(db)
      outcomes.push(signal.aborted ? 'lost' : 'held')
    }),
  )
  await greeting.add(db, { name: 'Amina' })
  await expect.poll(jobs, { interval: 20 }).toEqual([])
  expect(outcomes).toEqual(['held'])
})

test('a recurring task has one job, whatever the number of processes', async () => {
  let swept = 0
  const sweep: Task = {
    name: 'sweep',
    everyMs: 3_600_000,
    async run() {
      swept += 1
    },
  }
  start(sweep)
  start(sweep)
  await expect.poll(() => swept, { interval: 5 }).toBe(1)
  await expect.poll(jobs, { interval: 5 }).toMatchObject([{ task: 'sweep', attempts: 0 }])
  const [job] = await jobs()
  expect(Date.parse(String(job?.run_at))).toBeGreaterThan(Date.now() + 3_500_000)
})

test('a recurring job that was scheduled while the clock was ahead is due at once', async () => {
  const swept: number[] = []
  const sweep: Task = { name: 'sweep', everyMs: 60_000, run: async () => void swept.push(1) }
  await sql`insert into job (task, schedule, run_at) values ('sweep', 'sweep', now() + interval '6 hours')`.execute(
    db,
  )
  start(sweep)
  await expect.poll(() => swept, { interval: 5 }).toEqual([1])
  const [job] = await jobs()
  expect(Date.parse(String(job?.run_at))).toBeLessThan(Date.now() + 3_600_000)
})

test('while the clock of the database is far ahead no job starts, and all start once it is right again', async () => {
  const { db: stored, connection: place } = await testDatabase()
  await sql`create schema jumping`.execute(stored)
  await sql`create table jumping.jump as select interval '0' as by`.execute(stored)
  await sql`create function jumping.now() returns timestamptz stable language sql
    as 'select pg_catalog.now() + by from jumping.jump'`.execute(stored)
  await sql`alter database ${sql.ref(place.database)} set search_path = jumping, pg_catalog, public`.execute(
    stored,
  )
  const { db: jumping, close } = await openDatabase({ connection: place })
  onTestFinished(close)
  const jump = (by: string) => sql`update jumping.jump set by = ${by}::interval`.execute(stored)
  const greeted: string[] = []
  const logged: string[] = []
  const log = createLog('error', { write: (line) => void logged.push(line) })
  const task = greeting.doneBy(async ({ name }) => void greeted.push(name))
  const runner = startJobs({ db: jumping, connection: place, tasks: [task], log })
  onTestFinished(() => runner.stop())
  await greeting.add(stored, { name: 'before' })
  await expect.poll(() => greeted, { interval: 5 }).toEqual(['before'])

  await jump('400 days')
  await greeting.add(stored, { name: 'meanwhile' })
  await expect
    .poll(() => logged.join(''), { interval: 20, timeout: waitLimitMs })
    .toContain('the clock of the database has jumped')
  expect(greeted).toEqual(['before'])

  await jump('0')
  await expect.poll(() => greeted, { interval: 20, timeout: waitLimitMs }).toEqual(['before', 'meanwhile'])
})

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}
