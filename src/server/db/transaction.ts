import { isConnectionLost, isReadOnly, isSerializationFailure } from './errors.ts'
import type { Db } from './pool.ts'
import { retry } from './retry.ts'

/**
 * Runs work in a transaction, and retries it on a conflict with another transaction or when the connection is lost
 * before the commit is sent. The work must have no effects outside the database.
 */
export function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  let isCommitSent = false
  async function attempt(): Promise<T> {
    const failures: unknown[] = []
    isCommitSent = false
    try {
      return await db.transaction().execute(async (tx) => {
        try {
          const done = await work(tx)
          isCommitSent = true
          return done
        } catch (error) {
          failures.push(error)
          throw error
        }
      })
    } catch (error) {
      // The rollback on a lost connection fails too; the error of the work is the one to report.
      throw failures.length > 0 ? failures[0] : error
    }
  }
  return retry(
    attempt,
    (error) => retryAfterRollback(error) || (!isCommitSent && isConnectionLost(error) && 'pause'),
  )
}

/**
 * Runs a transaction or a single statement, and retries it after a conflict (deadlock, serialization failure) or on a
 * read-only node; PostgreSQL has rolled it back in these cases.
 */
export function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  return retry(work, retryAfterRollback)
}

function retryAfterRollback(error: unknown): 'immediately' | 'pause' | false {
  if (isSerializationFailure(error)) return 'immediately'
  return isReadOnly(error) && 'pause'
}
