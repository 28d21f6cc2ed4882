import { z } from 'zod'
import { eraseCollector } from '#features/account/closing/closing.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { defineJob, type Task } from '#server/jobs/jobs.ts'

/** Prices that lose their collector in one transaction: few enough that nobody who writes some waits long. */
export const erasedTogether = 2_000

/** Goes on where the closing of an account with many prices has left off. */
export const eraseCollectors = defineJob(
  'erase collector',
  z.object({
    userId: z.int(),
    names: z.array(z.string()),
    collectorNames: z.array(z.object({ name: z.string(), since: z.string() })),
  }),
)

export function closingTask(db: Db): Task {
  return eraseCollectors.doneBy(async (leaver, { signal }) => {
    while (!signal.aborted) {
      if (await inTransaction(db, (tx) => eraseCollector(tx, leaver, erasedTogether))) return
    }
    throw signal.reason
  })
}
