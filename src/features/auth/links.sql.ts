import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

export type LinkPurpose = 'reset' | 'verify' | 'google'

/** The account that a link may be sent to. */
type Addressee = { id: number; name: string; email: string; email_verified: boolean; has_password: boolean }

/** Returns the active account of an address. */
export function findAddressee(db: Db, email: string): Promise<Addressee | undefined> {
  return addressees(db).where(sql`lower(email)`, '=', sql`lower(${email})`).executeTakeFirst()
}

export function findAddresseeById(db: Db, id: number): Promise<Addressee | undefined> {
  return addressees(db).where('id', '=', id).executeTakeFirst()
}

/** Returns the oldest active account with the permission to manage super administrators. */
export function findFirstSuperAdmin(db: Db): Promise<Addressee | undefined> {
  return addressees(db)
    .where(sql<boolean>`'superadmins.manage' = any(permissions_of(app_user.id))`)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

function addressees(db: Db) {
  return db
    .selectFrom('app_user')
    .select([
      'id',
      'name',
      'email',
      'email_verified',
      sql<boolean>`password_hash is not null`.as('has_password'),
    ])
    .where('status', '=', 'ACTIVE')
}

/** Returns how many links of a kind were sent to an account in the last hour. */
export async function countRecentLinks(db: Db, userId: number, purpose: LinkPurpose): Promise<number> {
  const { count } = await db
    .selectFrom('account_link')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('created_at', '>', sql<string>`now() - interval '1 hour'`)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertLink(
  tx: Db,
  link: { hash: Buffer; userId: number; purpose: LinkPurpose; email: string; lifetimeS: number },
): Promise<void> {
  const { hash, userId, purpose, email, lifetimeS } = link
  await sql`
    insert into account_link (hash, user_id, purpose, email, expires_at)
    values (${hash}, ${userId}, ${purpose}, ${email}, now() + make_interval(secs => ${lifetimeS}))`.execute(
    tx,
  )
}

export type LiveLink = { user_id: number; name: string; email: string; is_current: boolean }

/** Returns the account of an unused link; `is_current` tells whether the account still has the link's address. */
export async function findLink(db: Db, hash: Buffer, purpose: LinkPurpose): Promise<LiveLink | undefined> {
  const { rows } = await sql<LiveLink>`
    select u.id as user_id, u.name, u.email, lower(u.email) = lower(l.email) as is_current
      from account_link l join app_user u on u.id = l.user_id and u.status = 'ACTIVE'
     where l.hash = ${hash} and l.purpose = ${purpose} and l.used_at is null and l.expires_at > now()`.execute(
    db,
  )
  return rows[0]
}

/**
 * Marks a link, and all links of its kind of the account, as used.
 *
 * @returns the address that it was sent to; undefined when it was used already
 */
export async function spendLink(tx: Db, hash: Buffer, purpose: LinkPurpose): Promise<string | undefined> {
  const { rows } = await sql<{ user_id: number; email: string }>`
    update account_link set used_at = now()
     where hash = ${hash} and purpose = ${purpose} and used_at is null and expires_at > now()
    returning user_id, email`.execute(tx)
  const [used] = rows
  if (!used) return undefined
  await sql`update account_link set used_at = now()
             where user_id = ${used.user_id} and purpose = ${purpose} and used_at is null`.execute(tx)
  return used.email
}

/** Deletes links that expired more than 7 days ago. */
export async function sweepLinks(db: Db): Promise<void> {
  await sql`delete from account_link where expires_at < now() - interval '7 days'`.execute(db)
}
