import { z } from 'zod'
import { invitationMail } from '#features/subscriptions/seats/seats.rules.ts'
import type { Db } from '#server/db/pool.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { defineJob, type Task } from '#server/jobs/jobs.ts'
import { queueMail } from '#server/mail/mail.ts'

/** Mails an invitation. */
export const sendInvitation = defineJob(
  'seat invitation',
  z.object({ owner: z.string(), email: z.string(), expiresAt: z.string() }),
)

/** @param publicUrl base address of the site */
export function seatTask({ db, publicUrl }: { db: Db; publicUrl: string }): Task {
  return sendInvitation.doneBy((invitation) =>
    inTransaction(db, (tx) =>
      queueMail(tx, { to: invitation.email, content: invitationMail(invitation, publicUrl) }),
    ),
  )
}
