import { isSerializationFailure } from './errors.ts'
import type { Db } from './pool.ts'

const attempts = 4

/**
 * Runs work in a transaction, and again from the start when it crossed another one (deadlock, serialization failure):
 * PostgreSQL has undone it then. The work must have no other effect than on the database.
 */
export async function inTransaction<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (attempt === attempts || !isSerializationFailure(error)) throw error
    }
  }
}
