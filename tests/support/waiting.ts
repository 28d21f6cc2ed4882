// Waits of tests: each ends when its condition holds, or after minutes; how close it came to the timeout is recorded.

import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, expect } from 'vitest'
import type { Db } from '#server/db/pool.ts'
import { waitLimitMs } from './wait-limit.ts'

/** A wait: its duration, its timeout, and whether the condition came true. */
type Wait = { what: string; test: string; ms: number; limitMs: number; cameInTime: boolean }

const waits: Wait[] = []
/** Shorter waits are not worth reporting beside a timeout of minutes. */
const shortestReportedMs = 1_000

/** Starts recording a wait of the current test; the caller updates its figures. */
export function recordWait(what: string, limitMs: number): Wait {
  const test = expect.getState().currentTestName ?? ''
  const wait = { what, test, ms: 0, limitMs, cameInTime: true }
  waits.push(wait)
  return wait
}

/** Passes the waits of a test file to the run, which prints those closest to their timeout. */
export function reportWaits(): void {
  afterAll(() => {
    const path = process.env.NTALO_WAITS
    const long = waits.splice(0).filter(({ ms }) => ms > shortestReportedMs)
    if (path) for (const wait of long) appendFileSync(path, `${JSON.stringify(wait)}\n`)
  })
}

/** Records how long a promise is awaited, as a wait of the current test. */
export async function timed<T>(what: string, limitMs: number, work: () => Promise<T>): Promise<T> {
  const wait = recordWait(what, limitMs)
  const startedAt = performance.now()
  try {
    const found = await work()
    wait.ms = performance.now() - startedAt
    return found
  } catch (error) {
    wait.ms = performance.now() - startedAt
    wait.cameInTime = false
    throw error
  }
}

/**
 * Polls until the condition holds.
 *
 * @throws Error after `waitLimitMs` that names what was waited for
 */
export async function eventually<T>(what: string, condition: () => T | Promise<T>): Promise<NonNullable<T>> {
  const deadline = performance.now() + waitLimitMs
  return timed(what, waitLimitMs, async () => {
    for (;;) {
      const value = await condition()
      if (value) return value
      if (performance.now() > deadline) throw new Error(`not within ${waitLimitMs / 1000} s: ${what}`)
      await sleep(10)
    }
  })
}

/**
 * Resolves once this many connections of this database wait for a lock.
 *
 * @throws Error that describes the activity of each connection, if they never do
 */
export async function untilWaiting(db: Db, connections: number): Promise<void> {
  const activity = async () =>
    (
      await sql<{ waiting: boolean; doing: string }>`
        select wait_event_type is not distinct from 'Lock' as waiting,
          concat_ws(' ', application_name, state, wait_event_type, wait_event, left(query, 100)) as doing
          from pg_stat_activity where datname = current_database()`.execute(db)
    ).rows
  try {
    await eventually(`${connections} connections wait for a lock`, async () => {
      return (await activity()).filter(({ waiting }) => waiting).length === connections
    })
  } catch (error) {
    throw new Error((await activity()).map(({ doing }) => doing).join('\n'), { cause: error })
  }
}
