import { setTimeout as sleep } from 'node:timers/promises'
import { isReadOnly, isSerializationFailure } from './errors.ts'
import type { Db } from './pool.ts'

const attempts = 4

/**
 * Runs work in a transaction, and retries it on a conflict with another transaction. The work must have no effects
 * outside the database.
 */
export function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return untilUncrossed(() => db.transaction().execute(work))
}

/** Pause (ms) before a retry after a read-only error; the proxy's next health check finds the new primary. */
const pauseMs = 200

/**
 * Runs a transaction or a single statement, and retries it after a conflict (deadlock, serialization failure) or on a
 * read-only node; PostgreSQL has rolled it back in these cases.
 */
export async function untilUncrossed<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === attempts || !(isSerializationFailure(error) || isReadOnly(error))) throw error
      if (isReadOnly(error)) await sleep(pauseMs)
    }
  }
}
