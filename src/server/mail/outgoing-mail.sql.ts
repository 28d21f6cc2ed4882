import { sql } from 'kysely'
import { justNow } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'
import type { MailContent } from '#shared/mail.ts'

export type Mail = {
  /** E-mail address of the recipient; exactly one. */
  to: string
  content: MailContent
  /** Reply-To address, when it is not the sender's. */
  replyTo?: string
}

export type ClaimedMail = {
  id: number
  key: string
  recipient: string
  reply_to: string | null
  content: unknown
  attempts: number
  age_s: number
}

/** Inserts a mail that is due at once; `queueMail` adds the job that sends it, in the same transaction. */
export async function insertMail(tx: Db, { to, content, replyTo }: Mail): Promise<void> {
  // PostgreSQL refuses half of a surrogate pair in JSON, which a text that was cut may end with.
  const stored = JSON.stringify(content, (_name, part) =>
    typeof part === 'string' ? part.toWellFormed() : part,
  )
  await tx
    .insertInto('outgoing_mail')
    .values({ recipient: to, reply_to: replyTo ?? null, content: stored })
    .execute()
}

/**
 * Claims the mail that has been due for longest; undefined when none is due. The attempt is counted and the next one
 * scheduled at once: after 1 min, 2 min, 4 min … 15 min.
 */
export async function claimMail(db: Db): Promise<ClaimedMail | undefined> {
  const { rows } = await sql<ClaimedMail>`
    update outgoing_mail set
      attempts = least(attempts + 1, 1000),
      send_at = now() + least(power(2, least(attempts, 10)), 15) * interval '1 minute'
     where id = (
       select id from outgoing_mail where send_at <= ${justNow}
        order by send_at, id limit 1 for update skip locked)
    returning id, key, recipient, reply_to, content, attempts,
              extract(epoch from now() - created_at)::float8 as age_s`.execute(db)
  return rows[0]
}

/** Stores the reason of a failed attempt, cut to 500 characters. */
export async function noteMailFailure(db: Db, id: number, reason: string): Promise<void> {
  await db
    .updateTable('outgoing_mail')
    .set({ last_error: reason.slice(0, 500) })
    .where('id', '=', id)
    .execute()
}
