import type { Db } from '#server/db/pool.ts'
import type { Attempt } from '#server/jobs/jobs.ts'

/** Returns the first attempt at a job, on the connections of the test. */
export function firstAttempt(db: Db, signal = new AbortController().signal): Attempt {
  return { signal, isLast: false, connect: async () => db }
}
