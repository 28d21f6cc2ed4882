import { sql } from 'kysely'
import type { ListedKey } from '#features/keys/keys.contract.ts'
import { isoInstant } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'

const monthStart = sql`date_trunc('month', now() at time zone 'Africa/Kinshasa')::date`

/** Returns the keys of an account that are not revoked, the latest first. */
export async function listKeys(db: Db, userId: number, id?: number): Promise<ListedKey[]> {
  const { rows } = await sql<ListedKey>`
    select id, name, prefix, scopes, version::text, ${isoInstant('created_at')} as "createdAt",
           ${isoInstant('last_used_at')} as "lastUsedAt", ${isoInstant('expires_at')} as "expiresAt",
           coalesce((select sum(calls) from api_call where key_id = api_key.id and day >= ${monthStart}), 0)::integer as calls
      from api_key
     where user_id = ${userId} and revoked_at is null ${id === undefined ? sql`` : sql`and id = ${id}::bigint`}
     order by created_at desc, id desc limit 100`.execute(db)
  return rows
}

export async function findKey(db: Db, userId: number, id: number): Promise<ListedKey | undefined> {
  return (await listKeys(db, userId, id))[0]
}

/** Locks the account of an owner, so that concurrent requests count its keys one after the other. */
export async function lockOwner(tx: Db, userId: number): Promise<{ isEmailVerified: boolean }> {
  const { rows } = await sql<{ isEmailVerified: boolean }>`
    select email_verified as "isEmailVerified" from app_user where id = ${userId} for no key update`.execute(
    tx,
  )
  return rows[0]!
}

/** Returns the number of usable keys of an account. The caller holds the account's lock. */
export async function countKeys(tx: Db, userId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from api_key
     where user_id = ${userId} and revoked_at is null and coalesce(expires_at > now(), true)`.execute(tx)
  return rows[0]!.count
}

type NewKey = {
  userId: number
  name: string
  hash: Buffer
  prefix: string
  scopes: readonly string[]
  version: string
  expiresAt: string | null
  isReadOnly?: boolean
}

export async function insertKey(tx: Db, key: NewKey): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into api_key (user_id, name, hash, prefix, scopes, version, expires_at, is_read_only)
    values (${key.userId}, ${key.name}, ${key.hash}, ${key.prefix}, ${key.scopes}, ${key.version}, ${key.expiresAt},
            ${key.isReadOnly ?? false})
    returning id`.execute(tx)
  return rows[0]!.id
}

/** Returns whether a key is valid now. */
export async function isLiveKey(db: Db, hash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    select from api_key where hash = ${hash} and revoked_at is null and (expires_at is null or expires_at > now())`.execute(
    db,
  )
  return rows.length > 0
}

export async function revokeKey(tx: Db, id: number): Promise<void> {
  await sql`update api_key set revoked_at = now() where id = ${id}`.execute(tx)
}

/** Returns the calls of an account's keys per day of the current month, without days that have none. */
export async function listDays(db: Db, userId: number): Promise<{ day: string; calls: number }[]> {
  const { rows } = await sql<{ day: string; calls: number }>`
    select day::text, sum(calls)::integer as calls
      from api_call join api_key on api_key.id = key_id
     where user_id = ${userId} and day >= ${monthStart}
     group by day order by day`.execute(db)
  return rows
}
