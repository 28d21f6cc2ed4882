import { setTimeout as sleep } from 'node:timers/promises'
import { isReadOnly, isSerializationFailure } from './errors.ts'
import type { Db } from './pool.ts'

const attempts = 4

/**
 * Runs work in a transaction, and again from the start when it crossed another one. The work must have no other effect
 * than on the database.
 */
export function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  return untilUncrossed(() => db.transaction().execute(work))
}

/** A node that has just lost its rank is found again by its proxy's next look. */
const pauseMs = 200

/**
 * Runs a transaction, or a single statement, and again when it crossed another (deadlock, serialization failure), or met
 * a node that takes no writes: PostgreSQL has undone it then.
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
