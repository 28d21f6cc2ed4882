import { z } from 'zod'
import { erasePersonFromJournal } from '#features/journal/erasure.sql.ts'
import { eraseCollector, erasePerson, findLeaver } from '#features/users/closing/closing.sql.ts'
import { deleteRow } from '#server/db/delete-row.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { defineJob, type Task } from '#server/jobs/jobs.ts'

/** Prices that lose their collector in one transaction: few enough that nobody who writes some waits long. */
const erasedTogether = 2_000

/** Goes on where the end of an account with many prices has left off, and forgets what the journal says of a deleted one. */
const eraseCollectors = defineJob(
  'erase collector',
  z.object({
    userId: z.int(),
    names: z.array(z.string()),
    collectorNames: z.array(z.object({ name: z.string(), since: z.string() })),
    isDeleted: z.boolean().default(false),
  }),
)

/** Takes out all that tells who somebody was, who closes his account; of many prices, a job takes the last ones. */
export async function eraseAccount(tx: Db, userId: number): Promise<void> {
  const leaver = await findLeaver(tx, userId)
  await erasePerson(tx, leaver)
  if (await eraseCollector(tx, leaver, erasedTogether)) return
  await eraseCollectors.add(tx, { ...leaver, isDeleted: false })
}

/** The same of one that somebody else deletes, whose row goes as well. The journal has yet to say that it was there. */
export async function deleteAccount(tx: Db, userId: number): Promise<void> {
  const leaver = await findLeaver(tx, userId)
  await erasePerson(tx, leaver)
  if (await eraseCollector(tx, leaver, erasedTogether)) await deleteRow(tx, 'app_user', userId)
  await eraseCollectors.add(tx, { ...leaver, isDeleted: true })
}

export function closingTask(db: Db): Task {
  return eraseCollectors.doneBy(async (leaver, { signal }) => {
    while (!signal.aborted) {
      if (await inTransaction(db, (tx) => eraseMore(tx, leaver))) return
    }
    throw signal.reason
  })
}

async function eraseMore(tx: Db, leaver: Parameters<typeof eraseCollectors.add>[1]): Promise<boolean> {
  const isDone = await eraseCollector(tx, leaver, erasedTogether)
  if (isDone && leaver.isDeleted) {
    await deleteRow(tx, 'app_user', leaver.userId)
    await erasePersonFromJournal(tx, leaver.userId)
  }
  return isDone
}
