import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

export type LinkPurpose = 'reset' | 'verify' | 'google'

/** Who a link would be sent to, if it is sent at all. */
type Addressee = { id: number; name: string; email: string; email_verified: boolean; has_password: boolean }

/** The active account of an address. */
export function findAddressee(db: Db, email: string): Promise<Addressee | undefined> {
  return addressees(db).where(sql`lower(email)`, '=', sql`lower(${email})`).executeTakeFirst()
}

export function findAddresseeById(db: Db, id: number): Promise<Addressee | undefined> {
  return addressees(db).where('id', '=', id).executeTakeFirst()
}

/** The oldest active account of those who manage super administrators. */
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

/** How many links of a kind an account was sent in the last hour. */
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

/** What a link opens as long as nobody has used it; `is_current` says whether the account still has its address. */
export async function findLink(db: Db, hash: Buffer, purpose: LinkPurpose): Promise<LiveLink | undefined> {
  const { rows } = await sql<LiveLink>`
    select u.id as user_id, u.name, u.email, lower(u.email) = lower(l.email) as is_current
      from account_link l join app_user u on u.id = l.user_id and u.status = 'ACTIVE'
     where l.hash = ${hash} and l.purpose = ${purpose} and l.used_at is null and l.expires_at > now()`.execute(
    db,
  )
  return rows[0]
}

/** Uses a link, and with it all of its kind that the account has. @returns false when somebody was quicker */
export async function spendLink(tx: Db, hash: Buffer, purpose: LinkPurpose): Promise<boolean> {
  const { rows } = await sql<{ user_id: number }>`
    update account_link set used_at = now()
     where hash = ${hash} and purpose = ${purpose} and used_at is null and expires_at > now()
    returning user_id`.execute(tx)
  const [used] = rows
  if (!used) return false
  await sql`update account_link set used_at = now()
             where user_id = ${used.user_id} and purpose = ${purpose} and used_at is null`.execute(tx)
  return true
}

/** Links that open nothing any more. */
export async function sweepLinks(db: Db): Promise<void> {
  await sql`delete from account_link where expires_at < now() - interval '7 days'`.execute(db)
}
