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
  type HeldJob,
  holdJob,
  insertJob,
  insertSchedules,
  listGivenUp,
  mostAttempts,
  openHolders,
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
const lookEveryMs = 2_000

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
  const holders = openHolders(connection, tasks.length)
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()
  let looking: Promise<void> | null = null
  let isAsked = false
  let areScheduled = false
  // Counted rather than measured: the clocks of this process may jump with the clock of the database.
  let ticks = 0
  const watch = watchClock((reading) =>
    log.error(
      { clock: new Date(reading) },
      'the clock of the database has jumped: jobs wait for ten minutes',
    ),
  )

  function look(): void {
    if (stopping.signal.aborted) return
    isAsked = true
    looking ??= lookAround().finally(() => {
      looking = null
      if (isAsked) look()
    })
  }

  async function lookAround(): Promise<void> {
    isAsked = false
    try {
      if (!areScheduled) {
        const scheduled = tasks.filter(({ everyMs }) => everyMs !== undefined)
        await insertSchedules(
          db,
          scheduled.map(({ name }) => name),
        )
        areScheduled = true
      }
      while (await startNext());
    } catch (error) {
      // The timer polls again soon, so an unavailable database is not logged.
      if (!isUnavailable(error)) log.error({ err: error }, 'jobs cannot be read')
    }
  }

  async function startNext(): Promise<boolean> {
    const idle = tasks.filter(({ name }) => !running.has(name))
    if (idle.length === 0 || stopping.signal.aborted) return false
    const elapsedMs = ticks * lookEveryMs
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
      .catch((error: unknown) => log.warn({ err: error, task: task.name, job: claimed.id }, 'job let go'))
      .finally(() => {
        running.delete(task.name)
        look()
      })
    running.set(task.name, work)
    await Promise.race([work, sleep(shortJobMs)])
    return true
  }

  async function attempt(task: Task, claimed: ClaimedJob): Promise<void> {
    const held = await holdJob(holders, claimed)
    if (!held) return
    const signal = AbortSignal.any([stopping.signal, held.lost])
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
      await afterFailure(task, claimed, held, error)
      return
    } finally {
      await Promise.allSettled(clients.map((client) => client.end()))
    }
    const { everyMs } = task
    await held.finish(typeof everyMs === 'function' ? everyMs() : everyMs)
  }

  async function afterFailure(task: Task, claimed: ClaimedJob, held: HeldJob, error: unknown): Promise<void> {
    if (stopping.signal.aborted) return held.giveBack()
    log.error({ err: error, task: task.name, job: claimed.id, attempt: claimed.attempts }, 'job failed')
    const reason = reasonOf(error)
    await held.fail(reason)
    if (claimed.attempts === failuresSeen) await recordFailure(db, task.name, claimed.id, reason)
  }

  const listener = listen(clientConfig(connection))
  listener.subscribe('job_added', { onNotification: look, onConnect: look })
  const timer = setInterval(() => {
    ticks += 1
    look()
  }, lookEveryMs)
  look()

  async function stop(): Promise<void> {
    stopping.abort(new Error('the process stops'))
    clearInterval(timer)
    await listener.close()
    await looking
    await Promise.all(running.values())
    await holders.end()
  }

  let stopped: Promise<void> | undefined
  return { stop: () => (stopped ??= stop()) }
}
