import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

type NewUser = { name: string; email: string; passwordHash: string | null; role: string }

/** @returns the new id, or undefined when the address already has an account */
export async function insertUserWithRole(tx: Db, user: NewUser): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    with created as (
      insert into app_user (name, email, password_hash)
      values (${user.name}, ${user.email}, ${user.passwordHash})
      on conflict (lower(email)) do nothing
      returning id),
    given as (
      insert into user_role (user_id, role_id) select created.id, role.id from created, role where role.name = ${user.role})
    select id from created`.execute(tx)
  return rows[0]?.id
}

/** The account of a used link, and the address that the link was sent to. */
type Proven = { userId: number; email: string }

// Decided while the row is locked: the account may get another address between the check of a link and its use.
const stillHas = ({ userId, email }: Proven) => sql`id = ${userId} and lower(email) = lower(${email})`

/**
 * Sets the password chosen by a link, and confirms the address, since only its owner can read the mail.
 *
 * @returns whether it was confirmed before; undefined when the account no longer has that address
 */
export async function resetPasswordOf(
  tx: Db,
  proven: Proven,
  passwordHash: string,
): Promise<boolean | undefined> {
  const { rows } = await sql<{ was_verified: boolean }>`
    update app_user set password_hash = ${passwordHash}, email_verified = true where ${stillHas(proven)}
    returning old.email_verified as was_verified`.execute(tx)
  return rows[0]?.was_verified
}

/** Invalidates links, resets the choices of notices, and unlinks Google; passwords and sessions stay. */
export async function clearLinks(tx: Db, userId: number): Promise<void> {
  await sql`update account_link set used_at = now() where user_id = ${userId} and used_at is null`.execute(tx)
  await sql`delete from notification_choice where user_id = ${userId}`.execute(tx)
  await sql`
    update app_user set google_sub = null, auth_provider = 'LOCAL'
     where id = ${userId} and google_sub is not null`.execute(tx)
}

/** Number of the outlets of an account's data that were ended. */
export type EndedOutlets = {
  keys: number
  webhooks: number
  channels: number
  recipients: number
  shares: number
  /** 1 if the account had billing details, else 0. */
  billing: number
}

/**
 * Revokes the API keys of an account, and deletes what sends or shows its data to others: webhooks, channels, recipients
 * of reports except those who unsubscribed, shared pages, and the billing details, whose address receives the receipts.
 */
export async function stopSendingData(tx: Db, userId: number): Promise<EndedOutlets> {
  const { rows } = await sql<EndedOutlets>`
    with key as (
      update api_key set revoked_at = now() where user_id = ${userId} and revoked_at is null returning 1),
    webhook as (delete from webhook_endpoint where user_id = ${userId} returning 1),
    channel as (delete from channel_address where user_id = ${userId} returning 1),
    recipient as (
      delete from report_recipient
       where report_id in (select id from report where user_id = ${userId}) and state <> 'left' returning 1),
    page as (delete from share where user_id = ${userId} returning 1),
    billing as (delete from billing_details where user_id = ${userId} returning 1)
    select (select count(*) from key)::integer as keys, (select count(*) from webhook)::integer as webhooks,
           (select count(*) from channel)::integer as channels,
           (select count(*) from recipient)::integer as recipients, (select count(*) from page)::integer as shares,
           (select count(*) from billing)::integer as billing`.execute(tx)
  return rows[0]!
}

/** Confirms the address that a link was sent to. @returns false when the account no longer has it */
export async function markVerified(tx: Db, proven: Proven): Promise<boolean> {
  const { numAffectedRows } =
    await sql`update app_user set email_verified = true where ${stillHas(proven)}`.execute(tx)
  return numAffectedRows === 1n
}

// Any number that no other code locks.
const firstAccountLock = 20_261_122

/** Returns whether no account exists; one process at a time. */
export async function isWithoutAccounts(tx: Db): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${firstAccountLock})`.execute(tx)
  return (await tx.selectFrom('app_user').select('id').limit(1).executeTakeFirst()) === undefined
}
