import { noteDueReminders } from '#features/subscriptions/endings.sql.ts'
import { reminderMail } from '#features/subscriptions/mails.rules.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Task } from '#server/jobs/jobs.ts'
import { queueMail } from '#server/mail/mail.ts'

const remindedEveryMs = 600_000

type Dependencies = { db: Db; clock: () => Date; publicUrl: string }

/** Tasks that depend on time. Access and status are computed from dates, so a clock that jumps ends no subscription. */
export function subscriptionTasks({ db, clock, publicUrl }: Dependencies): Task[] {
  return [
    { name: 'remind subscribers', everyMs: remindedEveryMs, run: () => remindDue(db, clock(), publicUrl) },
  ]
}

/** Mails proposals to renew: 7, 3 and 0 days before the end, 1 and 3 days after, once each. */
export async function remindDue(db: Db, at: Date, publicUrl: string): Promise<void> {
  while ((await remindSome(db, at, publicUrl)) > 0);
}

/** @returns the number of reminders */
async function remindSome(db: Db, at: Date, publicUrl: string): Promise<number> {
  return inTransaction(db, async (tx) => {
    const due = await noteDueReminders(tx, at)
    for (const reminder of due) {
      await queueMail(tx, { to: reminder.email, content: reminderMail(reminder, publicUrl) })
    }
    return due.length
  })
}
