import { sql } from 'kysely'
import { messages } from '#features/contact/contact.contract.ts'
import { eraseFromJournal } from '#features/journal/erasure.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { defineRows } from '#server/db/rows.ts'
import { hasWords, inFrench, isValue } from '#server/db/selection.ts'
import { insertRow, updateRow } from '#server/db/write-row.ts'
import type { BodyOf } from '#shared/contract.ts'
import type { ChangeOf } from '#shared/resource.ts'

const columns = [
  'id',
  'name',
  'email',
  'subject',
  'message as text',
  'is_handled as isHandled',
  'is_noted as isNoted',
  'created_at',
  'updated_at',
] as const
const sorts = { created_at: sql`created_at`, name: inFrench('name'), email: sql`email` }

export const messageRows = defineRows(messages, {
  table: 'contact_message',
  columns,
  sorts,
  defaultSort: '-created_at',
  from: (db: Db) => db.selectFrom('contact_message'),
  filters: {
    search: hasWords(sql`fold(name || ' ' || email || ' ' || coalesce(subject, '') || ' ' || message)`),
    isHandled: isValue('is_handled'),
  },
})

/** @param isNoted whether a member of the team writes it down for its sender */
export async function insertMessage(
  tx: Db,
  { isHandled, text: message, ...sender }: BodyOf<typeof messages.create>,
  isNoted: boolean,
): Promise<number> {
  const values = { ...sender, message, is_noted: isNoted, is_handled: isHandled }
  return insertRow(tx, 'contact_message', values)
}

export async function updateMessage(
  tx: Db,
  id: number,
  { isHandled }: ChangeOf<typeof messages>,
): Promise<void> {
  await updateRow(tx, 'contact_message', id, { is_handled: isHandled })
}

/**
 * Deletes the messages sent from an account’s address: all of them if it is confirmed, otherwise those since the
 * account was created.
 */
export async function deleteMessagesOf(tx: Db, userId: number): Promise<void> {
  await sql`
    delete from contact_message message using app_user u
     where u.id = ${userId} and lower(message.email) = lower(u.email)
       and (u.email_verified or message.created_at >= u.created_at)`.execute(tx)
  await forgetDeletedMessages(tx)
}

/** Deletes messages older than a year. @returns their ids */
export async function deleteOldMessages(tx: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    delete from contact_message where created_at < now() - interval '1 year' returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Erases the text and the sender of deleted messages from the journal. */
export async function forgetDeletedMessages(tx: Db): Promise<void> {
  await eraseFromJournal(
    tx,
    sql`entity = 'messages' and erased_at is null and (before is not null or after is not null)
        and not exists (select from contact_message where id = entity_id)`,
    { places: ['name', 'email', 'subject', 'text'] },
  )
}
