import { sql } from 'kysely'
import type { Channel } from '#features/channels/channels.rules.ts'
import { accessFacts } from '#features/subscriptions/access.sql.ts'
import type { AccessFacts } from '#features/subscriptions/subscriptions.rules.ts'
import type { Db } from '#server/db/pool.ts'

export type NewMessage = {
  /** Null for a reader without an account. */
  userId: number | null
  channel: Channel
  address: string
  purpose: 'alert' | 'code' | 'answer'
  content: string
  /** Id of the text that it answers: a second message of the same cause is ignored. */
  cause?: string
  at: Date
}

/** Inserts a message, unless one of the same cause exists. */
export async function insertOutgoing(tx: Db, message: NewMessage): Promise<void> {
  const { userId, channel, address, purpose, content, cause = null, at } = message
  await sql`
    insert into outgoing_message (user_id, channel, address, purpose, content, cause, due_at, created_at)
    values (${userId}, ${channel}, ${address}, ${purpose}, ${content}, ${cause}, ${at}, ${at})
    on conflict (cause) do nothing`.execute(tx)
}

export type NewAlert = { userId: number; channel: Channel; content: string; at: Date }

/** Inserts an alert for the address that its reader has confirmed. */
export async function insertAlert(tx: Db, { userId, channel, content, at }: NewAlert): Promise<void> {
  await sql`
    insert into outgoing_message (user_id, channel, address, purpose, content, due_at, created_at)
    select user_id, channel, address, 'alert', ${content}, ${at}, ${at} from channel_address
     where user_id = ${userId} and channel = ${channel} and confirmed_at is not null and stopped_at is null`.execute(
    tx,
  )
}

export type ClaimedMessage = {
  id: string
  channel: Channel
  address: string
  purpose: 'alert' | 'code' | 'answer'
  content: string
  attempts: number
  ageS: number
  /** For an alert: whether its reader still has the address and has not stopped it. */
  isWanted: boolean
  permissions: string[]
  access: AccessFacts | null
}

const leaseS = 60

/** Marks messages whose sender was interrupted as unknown: they may have been sent. */
export async function giveUpInterrupted(db: Db): Promise<void> {
  await sql`
    update outgoing_message set state = 'unknown', failure = 'interrupted', leased_until = null
     where state = 'sending' and leased_until < now()`.execute(db)
}

/** Claims due messages, marking them as being sent before a provider is called. @param most maximum number */
export async function claimMessages(db: Db, at: Date, most: number): Promise<ClaimedMessage[]> {
  const { rows } = await sql<ClaimedMessage>`
    with claimed as (
      update outgoing_message set state = 'sending', attempts = attempts + 1, leased_until = now() + make_interval(secs => ${leaseS})
       where id in (
         select id from outgoing_message where state = 'waiting' and due_at <= ${at}
          order by due_at, created_at limit ${most} for update skip locked)
      returning *)
    select m.id, m.channel, m.address, m.purpose, m.content, m.attempts,
           extract(epoch from ${at}::timestamptz - m.created_at)::float8 as "ageS",
           coalesce(u.status = 'ACTIVE' and exists (
             select from channel_address own
              where own.user_id = u.id and own.channel = m.channel and own.address = m.address
                and own.confirmed_at is not null and own.stopped_at is null), false) as "isWanted",
           case when u.id is not null then permissions_of(u.id) else '{}' end as permissions,
           case when u.id is not null then ${accessFacts} end as access
      from claimed m left join app_user u on u.id = m.user_id
     order by m.due_at, m.created_at`.execute(db)
  return rows
}

export type MessageEnd =
  | { state: 'sent'; provider: string; reference: string | null }
  | { state: 'failed' | 'unknown'; provider: string | null; failure: string }
  | { state: 'dropped'; failure: string }
  | { state: 'waiting'; dueAt: Date; failure: string | null }

/** Stores the result of a message; the content of a code is deleted once it was sent. */
export async function noteEnd(tx: Db, { id, purpose }: ClaimedMessage, end: MessageEnd): Promise<void> {
  const provider = 'provider' in end ? end.provider : null
  const reference = 'reference' in end ? end.reference : null
  const failure = 'failure' in end ? (end.failure?.slice(0, 300) ?? null) : null
  const isOver = purpose === 'code' && end.state !== 'waiting'
  await sql`
    update outgoing_message
       set state = ${end.state}, provider = ${provider}, reference = ${reference}, failure = ${failure}, leased_until = null,
           due_at = ${end.state === 'waiting' ? end.dueAt : sql`due_at`},
           content = ${isOver ? null : sql`content`}
     where id = ${id} and state = 'sending'`.execute(tx)
  if (provider === null || reference === null) return
  await holdReceipts(tx, provider, reference)
  const { rows } = await sql<{ state: 'delivered' | 'failed' }>`
    delete from early_receipt where provider = ${provider} and reference = ${reference} returning state`.execute(
    tx,
  )
  for (const { state } of rows) await applyReceipt(tx, { provider, reference, state })
}

type Receipt = { provider: string; reference: string; state: 'delivered' | 'failed' }

/** Stores a receipt, which may arrive before the provider's response to our call. */
export async function noteReceipt(tx: Db, receipt: Receipt): Promise<void> {
  const { provider, reference, state } = receipt
  await holdReceipts(tx, provider, reference)
  if (await applyReceipt(tx, receipt)) return
  await sql`
    insert into early_receipt as early (provider, reference, state) values (${provider}, ${reference}, ${state})
    on conflict (provider, reference) do update set state = excluded.state where early.state <> 'delivered'`.execute(
    tx,
  )
}

/**
 * Claims messages whose provider must be polled, for two days; each is polled again when it is twice as old, at least a
 * minute later.
 * @returns the provider's references
 */
export async function claimUnanswered(db: Db, provider: string, at: Date, most: number): Promise<string[]> {
  const { rows } = await sql<{ reference: string }>`
    update outgoing_message
       set due_at = ${at}::timestamptz + greatest(interval '1 minute', ${at}::timestamptz - created_at)
     where id in (
       select id from outgoing_message
        where state = 'sent' and reference is not null and provider = ${provider} and due_at <= ${at}
          and created_at > ${at}::timestamptz - interval '48 hours'
        order by due_at limit ${most} for update skip locked)
    returning reference`.execute(db)
  return rows.map(({ reference }) => reference)
}

/** Locks the receipts of a message until the transaction ends. */
async function holdReceipts(tx: Db, provider: string, reference: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`receipt ${provider} ${reference}`}, 0))`.execute(
    tx,
  )
}

/**
 * Applies a receipt; a delivered message stays delivered, whatever arrives later. @returns whether the message exists
 */
async function applyReceipt(tx: Db, { provider, reference, state }: Receipt): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update outgoing_message set state = case when state = 'delivered' then state else ${state} end
     where provider = ${provider} and reference = ${reference}`.execute(tx)
  return Number(numAffectedRows ?? 0) > 0
}

/** Returns how many alerts were sent, or may have been, to a user in the current month of Kinshasa. */
export async function countOfMonth(db: Db, userId: number, channel: Channel, at: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from outgoing_message
     where user_id = ${userId} and channel = ${channel} and purpose = 'alert' and state not in ('failed', 'dropped')
       and created_at >= date_trunc('month', ${at}::timestamptz, 'Africa/Kinshasa')`.execute(db)
  return rows[0]?.count ?? 0
}

/** Deletes messages older than 62 days, which covers the month that credits are counted in. */
export async function sweepOutgoing(db: Db): Promise<void> {
  await sql`delete from outgoing_message where created_at < now() - interval '62 days' and state <> 'sending'`.execute(
    db,
  )
  // Receipts for which no message with that reference was found.
  await sql`delete from early_receipt where created_at < now() - interval '7 days'`.execute(db)
}
