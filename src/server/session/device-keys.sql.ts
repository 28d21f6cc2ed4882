import { sql } from 'kysely'
import { isoInstant } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'
import { accessLifetimeS } from '#server/session/tokens.ts'

/** Number of days without use after which a device must sign in again. */
const mostUnusedDays = 30

/** Condition that a device key was used within that time; write the table's alias before it. */
export const isInUse = sql`last_used_at > now() - make_interval(days => ${sql.lit(mostUnusedDays)})`

/** User of an active device, and the public key of its signatures. */
type Device = { userId: number; publicKey: Buffer }

export async function insertDeviceKey(
  tx: Db,
  sessionId: number,
  device: { publicKey: Buffer; name: string },
): Promise<void> {
  await sql`
    insert into device_key (session_id, public_key, name)
    values (${sessionId}, ${device.publicKey}, ${device.name})`.execute(tx)
}

/** Finds a device; undefined when it is revoked, unused for too long, or its account is not active. */
export async function findDevice(db: Db, sessionId: number): Promise<Device | undefined> {
  const { rows } = await sql<Device>`
    select s.user_id as "userId", d.public_key as "publicKey"
      from device_key d
      join session s on s.id = d.session_id and s.revoked_at is null
      join app_user u on u.id = s.user_id and u.status = 'ACTIVE'
     where d.session_id = ${sessionId}::bigint and d.${isInUse}`.execute(db)
  return rows[0]
}

/**
 * Adds an access token to the session of a device, if the counter is greater than the last one used.
 *
 * @returns whether the counter was new
 */
export async function spendCounter(
  db: Db,
  sessionId: number,
  { counter, tokenHash }: { counter: number; tokenHash: Buffer },
): Promise<boolean> {
  const { rows } = await sql`
    with spent as (
      update device_key set counter = ${counter}, last_used_at = now()
       where session_id = ${sessionId}::bigint and counter < ${counter} returning session_id)
    insert into session_token (hash, session_id, kind, expires_at)
    select ${tokenHash}, session_id, 'access', now() + make_interval(secs => ${accessLifetimeS}) from spent
    returning session_id`.execute(db)
  return rows.length > 0
}

type ListedDevice = {
  id: number
  name: string
  user: { id: number; name: string }
  createdAt: string
  lastUsedAt: string
}

const mostListed = 200

/** Lists the active devices, most recently used first. */
export async function listDevices(db: Db, id?: number): Promise<ListedDevice[]> {
  const { rows } = await sql<ListedDevice>`
    select d.session_id as id, d.name, json_build_object('id', u.id, 'name', u.name) as user,
           ${isoInstant('d.created_at')} as "createdAt", ${isoInstant('d.last_used_at')} as "lastUsedAt"
      from device_key d
      join session s on s.id = d.session_id and s.revoked_at is null
      join app_user u on u.id = s.user_id and u.status = 'ACTIVE'
     where d.${isInUse} ${id === undefined ? sql`` : sql`and d.session_id = ${id}::bigint`}
     order by d.last_used_at desc, d.session_id desc limit ${mostListed}`.execute(db)
  return rows
}

/** Revokes the devices of a user except the most recent ones. */
export async function revokeOldDevices(tx: Db, userId: number, most: number): Promise<void> {
  await sql`
    update session set revoked_at = now()
     where id in (select d.session_id from device_key d join session s on s.id = d.session_id
                   where s.user_id = ${userId} and s.revoked_at is null
                   order by d.last_used_at desc, d.session_id desc offset ${most})`.execute(tx)
}
