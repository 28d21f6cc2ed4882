import { sql } from 'kysely'
import { justNow } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'
import type { MailContent } from '#shared/mail.ts'

export type Mail = {
  /** One address. */
  to: string
  content: MailContent
  /** Who is answered, when it is not us. */
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

export async function insertMail(tx: Db, { to, content, replyTo }: Mail): Promise<void> {
  await tx
    .insertInto('outgoing_mail')
    .values({ recipient: to, reply_to: replyTo ?? null, content: JSON.stringify(content) })
    .execute()
}

/**
 * The mail that has been due for longest, its next attempt counted and put off already: 1 min, 2 min, 4 min … 15 min.
 * Undefined when none is due.
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

/** Why it was not sent this time. */
export async function noteMailFailure(db: Db, id: number, reason: string): Promise<void> {
  await db
    .updateTable('outgoing_mail')
    .set({ last_error: reason.slice(0, 500) })
    .where('id', '=', id)
    .execute()
}
