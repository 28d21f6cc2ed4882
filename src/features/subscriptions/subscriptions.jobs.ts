import { noteDueReminders } from '#features/subscriptions/endings.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Task } from '#server/jobs/jobs.ts'
import { queueMail } from '#server/mail/mail.ts'

const remindedEveryMs = 600_000

/** What the passing of time makes of subscriptions. Access and status follow the dates: a clock that jumps ends none. */
export function subscriptionTasks({ db, clock }: { db: Db; clock: () => Date }): Task[] {
  return [{ name: 'remind subscribers', everyMs: remindedEveryMs, run: () => remindDue(db, clock()) }]
}

/** Has a mail sent to those whose subscription ends soon, once for each of 7, 3 and 0 days before. */
export async function remindDue(db: Db, at: Date): Promise<void> {
  while ((await remindSome(db, at)) > 0);
}

/** @returns how many it reminded */
async function remindSome(db: Db, at: Date): Promise<number> {
  return inTransaction(db, async (tx) => {
    const due = await noteDueReminders(tx, at)
    for (const { days, name, email, plan, endDate } of due) {
      const what = plan ? `Votre abonnement «\u202f${plan}\u202f»` : 'Votre essai gratuit'
      const day = lastDay.format(new Date(endDate))
      await queueMail(tx, {
        to: email,
        content: {
          subject:
            days === 0
              ? `${what} se termine aujourd’hui`
              : `${what} se termine dans ${days}\u00a0jours au plus`,
          paragraphs: [
            `Bonjour ${name},`,
            `${what} se termine le ${day}. Pour continuer à consulter les prix, choisissez un plan et payez-le dans Ntalo, à la page Abonnements\u00a0: la nouvelle période commence quand l’actuelle finit.`,
          ],
        },
      })
    }
    return due.length
  })
}

const lastDay = new Intl.DateTimeFormat('fr-FR', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'Africa/Kinshasa',
})
