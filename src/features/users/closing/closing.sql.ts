import { type RawBuilder, sql } from 'kysely'
import { deleteMessagesOf } from '#features/contact/contact.sql.ts'
import {
  eraseFromJournal,
  erasePersonFromJournal,
  findNamesOf,
  type Name,
} from '#features/journal/erasure.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { closedDomain } from '#shared/fields.ts'

/** Returns a condition: whether an account was closed by its owner. */
export function isClosed(id: RawBuilder<unknown>, email: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`${email} = ${closedEmail(id)}`
}

export async function isAccountClosed(db: Db, userId: number): Promise<boolean> {
  const { rows } = await sql`
    select from app_user u where id = ${userId} and ${isClosed(sql.ref('u.id'), sql.ref('u.email'))}`.execute(
    db,
  )
  return rows.length > 0
}

function closedEmail(id: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`'ferme-' || ${id} || ${sql.lit(closedDomain)}`
}

/** The user whose prices are anonymised. */
export type Leaver = {
  userId: number
  /** All names that the user has had. */
  names: string[]
  /** Names under which others may have written prices for the user: those that no other account has. */
  collectorNames: Name[]
}

/** Returns the data of an account that the erasure needs. */
export async function findLeaver(tx: Db, userId: number): Promise<Leaver> {
  const names = await findNamesOf(tx, userId)
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${names.map(({ name }) => name)}::text[]) name
     where not exists (select from app_user other where other.name = name.name and other.id <> ${userId})
       and exists (select from user_role join role on role.id = role_id
                    where user_id = ${userId} and role.name in ('collector', 'admin'))`.execute(tx)
  const own = new Set(rows.map(({ name }) => name))
  return {
    userId,
    names: names.map(({ name }) => name),
    collectorNames: names.filter(({ name }) => own.has(name)),
  }
}

/**
 * Erases all personal data of a user except in prices (`eraseCollector`). Invoices that the law requires stay with the
 * account, now anonymous.
 */
export async function erasePerson(tx: Db, { userId, names }: Leaver): Promise<void> {
  await erasePersonFromJournal(tx, userId)
  await deleteMessagesOf(tx, userId)
  const email = sql`(select lower(email) from app_user where id = ${userId})`
  await sql`delete from outgoing_mail where ${email} in (lower(recipient), lower(reply_to))`.execute(tx)
  await sql`delete from report_recipient where lower(email) = ${email}`.execute(tx)
  await sql`delete from report_refusal where email_hash = sha256(convert_to(${email}, 'UTF8'))`.execute(tx)
  await sql`delete from seat where ${userId} in (user_id, owner_id) or lower(email) = ${email}`.execute(tx)
  await sql`delete from job where lower(payload ->> 'email') = ${email}`.execute(tx)
  await sql`
    delete from idempotent_request
     where user_id = ${userId} or lower(answer ->> 'email') = ${email}
        or answer -> 'user' -> 'id' = to_jsonb(${userId}::integer)`.execute(tx)
  await sql`
    update idempotent_request set answer = erased(answer, 'collectorName')
     where answer ->> 'collectorName' = any(${names}::text[])`.execute(tx)
  await sql`
    update deposit set phone = '000000000' from payment
     where payment.id = payment_id and payment.user_id = ${userId} and payment.status = 'FAILED' and phone is not null`.execute(
    tx,
  )
  // Only rows with a note: an update changes the day on which the revenue counts a period as ended.
  await sql`update subscription set cancel_note = null where user_id = ${userId} and cancel_note is not null`.execute(
    tx,
  )
  for (const who of ['author', 'actor']) {
    const [id, name] = [sql.ref(`${who}_id`), sql.ref(`${who}_name`)]
    await sql`update import set ${name} = '(effacé)' where ${id} = ${userId} and ${name} is not null`.execute(
      tx,
    )
  }
  for (const table of [
    'account_link',
    'agent_market',
    'alert_event',
    'alert_rule',
    'api_key',
    'api_usage',
    'billing_details',
    'channel_address',
    'follow',
    'known_device',
    'notification_choice',
    'outgoing_message',
    'planned_visit',
    'payment_link',
    'quota_warning',
    'report',
    'report_refusal',
    'saved_view',
    'second_factor',
    'session',
    'share',
    'unsubscribe_link',
    'user_role',
    'webhook_endpoint',
  ]) {
    await sql`delete from ${sql.table(table)} where user_id = ${userId}`.execute(tx)
  }
  await sql`update free_trial set user_id = null where user_id = ${userId}`.execute(tx)
  await sql`update collection_entry set user_id = null, device = '' where user_id = ${userId}`.execute(tx)
  await sql`update price_photo set user_id = null where user_id = ${userId}`.execute(tx)
  await sql`update price_review set agent_id = null where agent_id = ${userId}`.execute(tx)
  await sql`update price_review set decided_by = null where decided_by = ${userId}`.execute(tx)
  await sql`
    update app_user
       set name = 'Compte fermé', email = ${closedEmail(sql.ref('id'))}, password_hash = null, status = 'INACTIVE',
           location = null, avatar_url = null, email_verified = false, auth_provider = 'LOCAL',
           google_sub = null
     where id = ${userId}`.execute(tx)
}

/**
 * Anonymises prices that the user wrote, and those that others wrote under the user's name, in the journal too. An
 * imported price keeps its collector, unless that was the user.
 * @param most number of prices per call
 * @returns whether nothing is left to do
 */
export async function eraseCollector(
  tx: Db,
  { userId, names, collectorNames }: Leaver,
  most: number,
): Promise<boolean> {
  const { rows: own } = await sql<{ id: number }>`
    update price
       set written_by = null,
           collector_name = case when import_id is null or collector_name = any(${names}::text[])
                            then ${anonymous} else collector_name end
     where id in (select id from price where written_by = ${userId} limit ${most})
    returning id`.execute(tx)
  await eraseFromJournal(
    tx,
    sql`entity = 'prices' and entity_id = any(${own.map(({ id }) => id)}::bigint[])`,
    {
      places: ['collectorName'],
    },
  )
  const { rows: others } = await sql<{ id: number }>`
    update price set collector_name = ${anonymous}
     where id in (
       select price.id from price
         join unnest(${collectorNames.map(({ name }) => name)}::text[], ${collectorNames.map(({ since }) => since)}::timestamptz[])
           as bore (name, since) on collector_name = bore.name and price.created_at >= bore.since
        limit ${most})
    returning id`.execute(tx)
  const named = sql`${names}::text[] && array[before ->> 'collectorName', after ->> 'collectorName']`
  const inOthers = await eraseFromJournal(
    tx,
    sql`entity = 'prices' and entity_id = any(${others.map(({ id }) => id)}::bigint[]) and ${named}`,
    { places: ['collectorName'] },
  )
  // Entries of deleted prices.
  const gone = await eraseFromJournal(
    tx,
    sql`id in (
      select id from audit_entry
       where entity = 'prices' and ${named}
         and entity_id in (select entity_id from audit_entry where user_id = ${userId} and entity = 'prices')
       limit ${most})`,
    { places: ['collectorName'] },
  )
  return own.length < most && others.length < most && inOthers + gone < most
}

const anonymous = 'Collecteur anonyme'
