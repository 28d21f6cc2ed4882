import { sql } from 'kysely'
import { accessFacts } from '#features/subscriptions/access.sql.ts'
import type { AccessFacts } from '#features/subscriptions/subscriptions.rules.ts'
import type { Db } from '#server/db/pool.ts'

/** Somebody with alerts that wait to be mailed. */
export type Reader = {
  userId: number
  name: string
  email: string
  /** Whether mails of alerts may reach him at all: an account in use, its address confirmed, not unsubscribed. */
  isReachable: boolean
  permissions: string[]
  access: AccessFacts
  sentences: string[]
  ids: number[]
}

/** Alerts in one mail. */
const mostInMail = 50

/**
 * Those with alerts to mail who got none in the last hour, with what their right to read rests on; held until the transaction ends,
 * so that two processes mail each once.
 */
export async function takeReaders(tx: Db, at: Date): Promise<Reader[]> {
  const { rows } = await sql<Reader>`
    with reader as materialized (
      select u.id from app_user u
       where exists (select from alert_event where user_id = u.id and mail = 'waiting')
         and not exists (select from alert_event where user_id = u.id and mailed_at > ${at}::timestamptz - interval '1 hour')
       order by u.id limit 100 for no key update skip locked)
    select u.id as "userId", u.name, u.email, permissions_of(u.id) as permissions, ${accessFacts} as access,
           u.status = 'ACTIVE' and u.email_verified and not exists (
             select from notification_choice where user_id = u.id and kind = 'price-alerts' and not is_wanted) as "isReachable",
           waiting.sentences, waiting.ids
      from reader join app_user u on u.id = reader.id
      join lateral (
        select json_agg(sentence order by id) as sentences, json_agg(id order by id) as ids
          from (select id, sentence from alert_event where user_id = u.id and mail = 'waiting' order by id limit ${mostInMail}) event
      ) waiting on true`.execute(tx)
  return rows
}

export async function markMailed(
  tx: Db,
  ids: readonly number[],
  state: 'sent' | 'none',
  at: Date,
): Promise<void> {
  await sql`
    update alert_event set mail = ${state}, mailed_at = ${state === 'sent' ? at : null} where id = any(${ids}::bigint[])`.execute(
    tx,
  )
}
