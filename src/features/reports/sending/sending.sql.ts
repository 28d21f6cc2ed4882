import { sql } from 'kysely'
import { accessFacts } from '#features/subscriptions/access.sql.ts'
import type { AccessFacts } from '#features/subscriptions/subscriptions.rules.ts'
import type { Db } from '#server/db/pool.ts'
import type { MailOutcome } from '#server/mail/mail.ts'
import type { DrawnReport } from '#shared/drawing.ts'

/** A mail to send, with the facts that decide whether it may be sent. */
export type Delivery = {
  id: number
  attempts: number
  /** Seconds since the issue was made. */
  ageS: number
  email: string
  /** Token of the recipient's links; null for the owner. */
  recipientToken: string | null
  /** Whether the recipient has confirmed and not unsubscribed, or the owner has confirmed their address. */
  isWanted: boolean
  /** Whether the owner's account is active. */
  isActive: boolean
  permissions: string[]
  access: AccessFacts
  title: string
  owner: string
  issueToken: string
  content: DrawnReport
}

/**
 * Claims a due mail and marks it as begun before the mail server is called: a mail that was begun and has no result is
 * never sent again.
 */
export async function beginDelivery(db: Db, at: Date): Promise<Delivery | undefined> {
  const { rows } = await sql<Delivery>`
    with taken as (
      update report_delivery set state = 'sending', begun_at = ${at}, attempts = attempts + 1
       where id = (
         select id from report_delivery where state = 'waiting' and send_at <= ${at}
          order by send_at, id limit 1 for update skip locked)
      returning id, issue_id, recipient_id, is_to_owner, attempts)
    select taken.id, taken.attempts, extract(epoch from ${at}::timestamptz - issue.made_at)::float8 as "ageS",
           coalesce(recipient.email, u.email) as email, recipient.token as "recipientToken",
           case when taken.is_to_owner then u.email_verified else coalesce(recipient.state = 'confirmed', false) end
             as "isWanted", u.status = 'ACTIVE' as "isActive",
           permissions_of(u.id) as permissions, ${accessFacts} as access, report.title, u.name as owner,
           issue.token as "issueToken", issue.content
      from taken
      join report_issue issue on issue.id = issue_id
      join report on report.id = issue.report_id
      join app_user u on u.id = report.user_id
      left join report_recipient recipient on recipient.id = recipient_id`.execute(db)
  return rows[0]
}

/** Stores the result of a mail; one that was certainly not sent waits until an instant. */
export async function endDelivery(
  db: Db,
  id: number,
  end: { state: Exclude<MailOutcome, 'later'> | 'expired' | 'none' } | { state: 'waiting'; sendAt: Date },
): Promise<void> {
  const sendAt = 'sendAt' in end ? end.sendAt : null
  await sql`
    update report_delivery set state = ${end.state}, send_at = coalesce(${sendAt}::timestamptz, send_at) where id = ${id}`.execute(
    db,
  )
}

const allRefused = 'Aucun e-mail n’a été accepté\u00a0: vérifiez les adresses des destinataires.'
const allLate =
  'Aucun e-mail n’est parti\u00a0: le serveur d’e-mails n’a pu en remettre aucun en cinq jours. Faites une autre édition.'
const nobodyLeft =
  'Aucun e-mail n’est parti\u00a0: les destinataires n’en veulent plus, ou vous n’avez plus accès aux données.'

/** Marks mails begun before an instant without a result as unknown: they may have arrived. */
export async function giveUpBegun(db: Db, before: Date): Promise<void> {
  await sql`update report_delivery set state = 'unknown' where state = 'sending' and begun_at < ${before}`.execute(
    db,
  )
}

/**
 * Ends issues without waiting mails: sent when at least one mail may have arrived, else failed. An issue without any mail
 * stays made.
 */
export async function endSentIssues(db: Db): Promise<void> {
  await sql`
    update report_issue issue
       set state = case when has_left then 'sent' else 'failed' end,
           reason = case when has_left then reason when is_late then ${allLate} when is_refused then ${allRefused} else ${nobodyLeft} end
      from (select id, ends.* from report_issue
             cross join lateral (
               select bool_or(state in ('sent', 'unknown')) as has_left, bool_or(state = 'refused') as is_refused,
                      bool_or(state = 'expired') as is_late,
                      bool_or(state in ('waiting', 'sending')) as is_waiting
                 from report_delivery where issue_id = report_issue.id) ends
             where state = 'made') ended
     where issue.id = ended.id and issue.state = 'made' and not is_waiting`.execute(db)
}
