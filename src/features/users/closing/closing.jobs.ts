import { z } from 'zod'
import { erasePersonFromJournal } from '#features/journal/erasure.sql.ts'
import { eraseCollector, erasePerson, findLeaver } from '#features/users/closing/closing.sql.ts'
import { deleteRow } from '#server/db/delete-row.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { defineJob, type Task } from '#server/jobs/jobs.ts'

/** Number of prices anonymised in one transaction: small enough that writers of prices do not wait long. */
const erasedTogether = 2_000

/** Continues the erasure of an account with many prices, and erases a deleted account from the journal. */
const eraseCollectors = defineJob(
  'erase collector',
  z.object({
    userId: z.int(),
    names: z.array(z.string()),
    collectorNames: z.array(z.object({ name: z.string(), since: z.string() })),
    isDeleted: z.boolean().default(false),
  }),
)

/** Erases all personal data of a user who closes their account; if there are many prices, a job anonymises the rest. */
export async function eraseAccount(tx: Db, userId: number): Promise<void> {
  const leaver = await findLeaver(tx, userId)
  await erasePerson(tx, leaver)
  if (await eraseCollector(tx, leaver, erasedTogether)) return
  await eraseCollectors.add(tx, { ...leaver, isDeleted: false })
}

/**
 * Same as `eraseAccount` for an account deleted by an administrator; its row is deleted as well. A job erases it from
 * the journal later, since the entry of this deletion is written after this call.
 */
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
