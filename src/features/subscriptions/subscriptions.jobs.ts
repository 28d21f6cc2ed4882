import { expireSubscriptions } from '#features/subscriptions/subscriptions.sql.ts'
import { insertAudit } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Task } from '#server/jobs/jobs.ts'

const minuteMs = 60_000

/** What the passing of time makes of subscriptions. Access itself follows the dates, to the second. */
export function subscriptionTasks({ db, clock }: { db: Db; clock: () => Date }): Task[] {
  return [{ name: 'expire subscriptions', everyMs: minuteMs, run: () => expireDue(db, clock()) }]
}

/** Marks what is over, some hundreds at a time. */
export async function expireDue(db: Db, at: Date): Promise<void> {
  for (;;) {
    const expired = await inTransaction(db, async (tx) => {
      const rows = await expireSubscriptions(tx, at)
      for (const { id, status } of rows) {
        await insertAudit(
          tx,
          { actor: null, requestId: null },
          {
            action: 'expire',
            entity: 'subscriptions',
            entityId: id,
            before: { status },
            after: { status: 'EXPIRED' },
          },
        )
      }
      return rows.length
    })
    if (expired === 0) return
  }
}
