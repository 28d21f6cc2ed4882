import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'
import { dayS } from '#shared/days.ts'

/** Lifetime (s) of the device cookie: the longest that browsers accept, renewed by each sign-in. */
export const deviceLifetimeS = 400 * dayS

/** Maximum number of known browsers of an account; those of the latest sign-ins stay. */
const mostDevices = 20

/**
 * Returns whether a user (any user, when none is given) signed in with this device before.
 *
 * @param hash of its cookie
 */
export async function isKnownDevice(db: Db, hash: Buffer, userId: number | null = null): Promise<boolean> {
  const { rows } = await sql`
    select from known_device
     where hash = ${hash} and user_id = coalesce(${userId}::integer, user_id) and expires_at > now()`.execute(
    db,
  )
  return rows.length > 0
}

export async function rememberDevice(tx: Db, userId: number, hash: Buffer): Promise<void> {
  await sql`
    insert into known_device (user_id, hash, expires_at)
    values (${userId}, ${hash}, now() + make_interval(secs => ${deviceLifetimeS}))
    on conflict (hash, user_id) do update set expires_at = excluded.expires_at`.execute(tx)
  await sql`
    delete from known_device where user_id = ${userId} and hash in (
      select hash from known_device where user_id = ${userId} order by expires_at desc offset ${mostDevices})`.execute(
    tx,
  )
}

/** Deletes the known devices of a user, except one if given; they count as unknown until the user signs in there. */
export async function forgetDevicesOf(tx: Db, userId: number, except: Buffer | null = null): Promise<void> {
  await sql`
    delete from known_device where user_id = ${userId} and hash is distinct from ${except}::bytea`.execute(tx)
}

export async function sweepDevices(db: Db): Promise<void> {
  await sql`delete from known_device where expires_at < now()`.execute(db)
}
