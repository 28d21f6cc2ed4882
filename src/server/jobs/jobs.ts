// Runs the jobs of the table `job`; several processes share them: docs/decisions/0008-jobs.md.

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { z } from 'zod'
import { isUnavailable } from '#server/db/errors.ts'
import { listen } from '#server/db/listener.ts'
import { clientConfig, createClient, type Db, kyselyOn, type PoolOptions } from '#server/db/pool.ts'
import { watchClock } from '#server/jobs/clock-watch.ts'
import {
  type ClaimedJob,
  claimJob,
  failuresSeen,
  insertJob,
  insertSchedules,
  type LockedJob,
  listGivenUp,
  lockJob,
  mostAttempts,
  openLockPool,
  recordFailure,
} from '#server/jobs/jobs.sql.ts'
import type { Log } from '#server/log.ts'
import { dayMs } from '#shared/days.ts'

/** One attempt at a job. */
export type Attempt = {
  /** Aborted when the process stops, or when another process may be running the job: all work must then end. */
  signal: AbortSignal
  /** True when there is no retry after this attempt. */
  isLast: boolean
  /** Opens a connection for statements that take longer than a request may; it is closed when the attempt ends. */
  connect(longestStatementMs: number): Promise<Db>
}

/** A kind of job. It may run twice when a process or connection ends at the wrong moment, so it must be idempotent. */
export type Task = {
  readonly name: string
  /** Recurring: runs again this long (ms) after it finished. A function is called after each run; a day at most. */
  readonly everyMs?: number | (() => number)
  run(payload: unknown, attempt: Attempt): Promise<void>
}

/** Defines the name and the payload schema of a kind of job whose jobs have a payload. */
export function defineJob<P extends object>(name: string, payload: z.ZodType<P>) {
  return {
    /** Enqueues a job within `tx`; it runs only if the transaction commits. */
    add: (tx: Db, given: P): Promise<void> => insertJob(tx, name, given),
    /** Returns the payloads of jobs that were given up after their last attempt. */
    givenUp: async (db: Db): Promise<P[]> =>
      (await listGivenUp(db, name)).map((given) => payload.parse(given)),
    doneBy: (run: (payload: P, attempt: Attempt) => Promise<void>): Task => ({
      name,
      run: (given, attempt) => run(payload.parse(given), attempt),
    }),
  }
}

/** Returns the messages of an error and of its causes, five at most, cut to 500 characters. */
function reasonOf(error: unknown): string {
  const messages: string[] = []
  for (let each = error; each !== undefined && messages.length < 5; each = Object(each).cause) {
    messages.push(each instanceof Error ? each.message : String(each))
  }
  return messages.join(' ← ').slice(0, 500)
}

/** Polling interval (ms), for delayed jobs and for jobs whose notification was lost. */
const pollEveryMs = 2_000

/**
 * Longest time (ms) that the runner waits for a job before it starts the next one. Short jobs that are due together, as
 * after a start, then share one connection instead of opening one each.
 */
const shortJobMs = 50

export type JobRunner = {
  /** Interrupts the running jobs, releases them for other processes, and resolves when that is done. */
  stop(): Promise<void>
}

/**
 * Runs jobs until it is stopped: one at a time of each task, in the order in which they are due. It survives the loss
 * of the database. A job that fails is retried after 1 s, 2 s, 4 s … 5 min.
 */
export function startJobs(options: {
  db: Db
  connection: PoolOptions['connection']
  tasks: readonly Task[]
  log: Log
}): JobRunner {
  const { db, connection, tasks, log } = options
  const lockPool = openLockPool(connection, tasks.length)
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()
  let polling: Promise<void> | null = null
  let isPollDue = false
  let areScheduled = false
  // Counted rather than measured: the clocks of this process may jump with the clock of the database.
  let ticks = 0
  const watch = watchClock((reading) =>
    log.error(
      { clock: new Date(reading) },
      'the clock of the database has jumped: jobs wait for ten minutes',
    ),
  )

  function poll(): void {
    if (stopping.signal.aborted) return
    isPollDue = true
    polling ??= claimDueJobs().finally(() => {
      polling = null
      if (isPollDue) poll()
    })
  }

  async function claimDueJobs(): Promise<void> {
    isPollDue = false
    try {
      if (!areScheduled) {
        const scheduled = tasks.filter(({ everyMs }) => everyMs !== undefined)
        await insertSchedules(
          db,
          scheduled.map(({ name }) => name),
        )
        areScheduled = true
      }
      let hasStarted = true
      while (hasStarted) hasStarted = await startNext()
    } catch (error) {
      // The timer polls again soon, so an unavailable database is not logged.
      if (!isUnavailable(error)) log.error({ err: error }, 'jobs cannot be read')
    }
  }

  async function startNext(): Promise<boolean> {
    const idle = tasks.filter(({ name }) => !running.has(name))
    if (idle.length === 0 || stopping.signal.aborted) return false
    const elapsedMs = ticks * pollEveryMs
    const claimable = idle.map(({ name, everyMs }) => ({
      name,
      everyMs: typeof everyMs === 'number' ? everyMs : dayMs,
    }))
    const { job: claimed, clock } = await claimJob(db, claimable, watch.expectedAt(elapsedMs))
    if (!watch.isTrusted(clock, elapsedMs)) return false
    const task = idle.find(({ name }) => name === claimed?.task)
    if (!claimed || !task) return false
    const work = attempt(task, claimed)
      // Its outcome could not be stored; the job becomes due again at the time set when it was claimed.
      .catch((error: unknown) =>
        log.warn({ err: error, task: task.name, job: claimed.id }, 'the outcome of a job was not stored'),
      )
      .finally(() => {
        running.delete(task.name)
        poll()
      })
    running.set(task.name, work)
    await Promise.race([work, sleep(shortJobMs)])
    return true
  }

  async function attempt(task: Task, claimed: ClaimedJob): Promise<void> {
    const locked = await lockJob(lockPool, claimed)
    if (!locked) return
    const signal = AbortSignal.any([stopping.signal, locked.lost])
    const clients: pg.Client[] = []
    const connect = async (longestStatementMs: number) => {
      const client = createClient(connection, longestStatementMs)
      clients.push(client)
      await client.connect()
      return kyselyOn(client)
    }
    try {
      await task.run(claimed.payload, { signal, isLast: claimed.attempts >= mostAttempts, connect })
    } catch (error) {
      await afterFailure(task, claimed, locked, error)
      return
    } finally {
      await Promise.allSettled(clients.map((client) => client.end()))
    }
    const { everyMs } = task
    await locked.finish(typeof everyMs === 'function' ? everyMs() : everyMs)
  }

  async function afterFailure(
    task: Task,
    claimed: ClaimedJob,
    locked: LockedJob,
    error: unknown,
  ): Promise<void> {
    if (stopping.signal.aborted) return locked.release()
    log.error({ err: error, task: task.name, job: claimed.id, attempt: claimed.attempts }, 'job failed')
    const reason = reasonOf(error)
    await locked.fail(reason)
    if (claimed.attempts === failuresSeen) await recordFailure(db, task.name, claimed.id, reason)
  }

  const listener = listen(clientConfig(connection))
  listener.subscribe('job_added', { onNotification: poll, onConnect: poll })
  const timer = setInterval(() => {
    ticks += 1
    poll()
  }, pollEveryMs)
  poll()

  async function stop(): Promise<void> {
    stopping.abort(new Error('the process stops'))
    clearInterval(timer)
    await listener.close()
    await polling
    await Promise.all(running.values())
    await lockPool.end()
  }

  let stopped: Promise<void> | undefined
  return { stop: () => (stopped ??= stop()) }
}
