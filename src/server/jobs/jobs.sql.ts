import { sql } from 'kysely'
import type pg from 'pg'
import { insertAudit } from '#server/audit.sql.ts'
import { justNow } from '#server/db/instant.ts'
import { type Db, openPool, type PoolOptions } from '#server/db/pool.ts'
import { mostOffMs } from '#server/jobs/clock-watch.ts'

/** Longest wait (s) between two attempts at a job that fails. */
const longestRetryS = 300

export type ClaimedJob = { id: number; task: string; payload: unknown; attempts: number }

/** Maximum number of attempts of a job before it is given up; they span about half an hour. */
export const mostAttempts = 12

/** Enqueues a job within `tx`; it runs only if the transaction commits. */
export async function insertJob(tx: Db, task: string, payload: object): Promise<void> {
  await tx
    .insertInto('job')
    .values({ task, payload: JSON.stringify(payload) })
    .execute()
}

/** Inserts one job for each of these recurring tasks that has none. */
export async function insertSchedules(db: Db, tasks: readonly string[]): Promise<void> {
  for (const task of tasks) {
    await db
      .insertInto('job')
      .values({ task, schedule: task })
      .onConflict((conflict) => conflict.column('schedule').doNothing())
      .execute()
  }
}

/** Makes a recurring job due when the transaction commits; does nothing when the job is running. */
export async function makeDueNow(tx: Db, task: string): Promise<void> {
  await sql`
    with changed as (
      update job set run_at = now()
       where id = (select id from job where schedule = ${task} for update skip locked) returning id)
    select pg_notify('job_added', '') from changed`.execute(tx)
}

/** A task whose jobs may be claimed; `everyMs` is the longest wait between two runs if it is recurring. */
type Claimable = { name: string; everyMs: number }

/**
 * Claims the job of these tasks that has been due for longest; null when none is due. The attempt is counted and the
 * next one scheduled at once, so the job is retried if its process dies. A recurring job is also due when it would wait
 * longer than its task allows: it was scheduled while the clock was ahead.
 *
 * @param expectedAt nothing is claimed while the clock of the database is {@link mostOffMs} or more away from this
 *   instant (ms); null accepts any clock
 * @returns the job, and the clock of the database (ms)
 */
export async function claimJob(
  db: Db,
  tasks: readonly Claimable[],
  expectedAt: number | null = null,
): Promise<{ job: ClaimedJob | null; clock: number }> {
  const names = tasks.map(({ name }) => name)
  const waits = tasks.map(({ everyMs }) => everyMs)
  const { rows } = await sql<{ job: ClaimedJob | null; clock: number }>`
    with clock as (select extract(epoch from now())::float8 * 1000 as at), claimed as (
      update job set
        attempts = case when schedule is null then attempts + 1 else least(attempts + 1, 8) end,
        run_at = now() + least(power(2, attempts), ${longestRetryS}) * interval '1 second'
       where id = (
         select job.id
           from job join unnest(${names}::text[], ${waits}::float8[]) as known (task, every_ms) using (task), clock
          where attempts < ${mostAttempts}
            and (run_at <= ${justNow} or schedule is not null
                 and run_at > now() + (every_ms / 1000 + ${longestRetryS} + 1) * interval '1 second')
            and (${expectedAt}::float8 is null or abs(clock.at - ${expectedAt}::float8) < ${mostOffMs}::float8)
          order by run_at, job.id limit 1 for update of job skip locked)
      returning id, task, payload, attempts)
    select clock.at as clock, to_jsonb(claimed) as job from clock left join claimed on true`.execute(db)
  return rows[0]!
}

/** Returns the payloads of jobs of a task that were given up: no attempt is left, and `run_at` passed an hour ago. */
export async function listGivenUp(db: Db, task: string): Promise<unknown[]> {
  const { rows } = await sql<{ payload: unknown }>`
    select payload from job
     where task = ${task} and attempts >= ${mostAttempts} and run_at < now() - interval '1 hour'`.execute(db)
  return rows.map(({ payload }) => payload)
}

/** Deletes jobs that were given up a week ago, so that they stop counting as failures; the journal keeps the reason. */
export async function sweepGivenUp(db: Db): Promise<void> {
  await sql`
    delete from job where attempts >= ${mostAttempts} and run_at < now() - interval '7 days'`.execute(db)
}

/** Number of consecutive failures after which the health check and the journal report a job. */
export const failuresSeen = 3

/** Records in the journal, with no user as actor, that a job keeps failing and why. */
export async function recordFailure(db: Db, task: string, id: number, reason: string): Promise<void> {
  const after = { task, reason, failures: failuresSeen }
  await insertAudit(
    db,
    { actor: null, requestId: null },
    { action: 'fail', entity: 'jobs', entityId: id, after },
  )
}

/** Lists the tasks that have a job with repeated failures, in alphabetical order, ten at most. */
export async function listFailingTasks(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('job')
    .select('task')
    .distinct()
    .where('attempts', '>=', failuresSeen)
    .where('last_error', 'is not', null)
    .orderBy('task')
    .limit(10)
    .execute()
  return rows.map(({ task }) => task)
}

/** A job locked for this process as long as its connection lasts. */
export type LockedJob = {
  /** Aborted when the connection is lost, because another process may then run the job. */
  lost: AbortSignal
  /** Deletes the finished job, or schedules it again after `everyMs`. */
  finish(everyMs: number | undefined): Promise<void>
  /** Stores the reason of a failure; the job is retried later, unless this was its last attempt. */
  fail(reason: string): Promise<void>
  /** Releases a job interrupted by this process: it is due at once, and this attempt does not count. */
  release(): Promise<void>
}

/** Opens the pool of connections that lock jobs: one for each job in progress; an idle one is closed after 10 s. */
export function openLockPool(connection: PoolOptions['connection'], most: number): pg.Pool {
  return openPool({ connection, max: most, statementTimeoutMs: longestStatementMs })
}

/**
 * Locks a claimed job in a transaction on a connection of its own. PostgreSQL releases the lock when the connection
 * ends for any reason.
 *
 * @returns null when another process has the job
 */
export async function lockJob(connections: pg.Pool, job: ClaimedJob): Promise<LockedJob | null> {
  const client = await connections.connect()
  const lost = new AbortController()
  const onEnd = () => lost.abort(new Error('the connection that locked a job is lost'))
  client.on('end', onEnd)

  function returnClient(error?: unknown): void {
    client.off('end', onEnd)
    // After an error the transaction may still be open: closing its connection releases the lock.
    client.release(error !== undefined)
  }

  async function settle(statement: string, values: unknown[]): Promise<void> {
    try {
      await client.query(statement, values)
      await client.query('commit')
    } catch (error) {
      returnClient(error)
      throw error
    }
    returnClient()
  }

  try {
    // A limit set in the database would end the connection of a long job.
    await client.query('begin; set local idle_in_transaction_session_timeout = 0')
    // The first retry is due after a second only, so another process may have claimed the job since.
    const lockRow = 'select from job where id = $1 and attempts = $2 for update skip locked'
    const { rowCount } = await client.query(lockRow, [job.id, job.attempts])
    if (rowCount === 0) {
      await client.query('rollback')
      returnClient()
      return null
    }
  } catch (error) {
    returnClient(error)
    throw error
  }

  return {
    lost: lost.signal,
    async finish(everyMs) {
      if (everyMs === undefined) return settle('delete from job where id = $1', [job.id])
      const next = `update job set attempts = 0, last_error = null,
        run_at = clock_timestamp() + $2 * interval '1 millisecond' where id = $1`
      return settle(next, [job.id, everyMs])
    },
    fail: (reason) => settle('update job set last_error = $2 where id = $1', [job.id, reason]),
    release: () =>
      settle('update job set attempts = attempts - 1, run_at = clock_timestamp() where id = $1', [job.id]),
  }
}

const longestStatementMs = 5_000
