import { deleteOldMessages, forgetDeletedMessages } from '#features/contact/contact.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Task } from '#server/jobs/jobs.ts'
import { dayMs } from '#shared/days.ts'

/** Deletes visitors' messages after a year, and erases them from the journal. */
export function messageTask(db: Db): Task {
  return {
    name: 'delete old messages',
    everyMs: dayMs,
    run: () =>
      inTransaction(db, async (tx) => {
        for (const entityId of await deleteOldMessages(tx)) {
          const entry = { action: 'expire', entity: 'messages', entityId }
          await insertAudit(tx, { actor: null, requestId: null }, entry)
        }
        await forgetDeletedMessages(tx)
      }),
  }
}
