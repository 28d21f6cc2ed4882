import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'
import { dayS } from '#shared/days.ts'

/** What browsers keep a cookie for at most; each sign-in starts it again. */
export const deviceLifetimeS = 400 * dayS

/** How many browsers of one account are remembered: those of the latest sign-ins. */
const mostDevices = 20

/**
 * Whether a user, or anybody when none is named, signed in with this device before.
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

/** Forgets the devices of a user, but for one when it is named: they count as strangers' until he signs in there. */
export async function forgetDevicesOf(tx: Db, userId: number, except: Buffer | null = null): Promise<void> {
  await sql`
    delete from known_device where user_id = ${userId} and hash is distinct from ${except}::bytea`.execute(tx)
}

export async function sweepDevices(db: Db): Promise<void> {
  await sql`delete from known_device where expires_at < now()`.execute(db)
}
