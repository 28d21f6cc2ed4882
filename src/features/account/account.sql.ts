import { sql } from 'kysely'
import type { ownAccount } from '#features/account/account.contract.ts'
import type { Db } from '#server/db/pool.ts'
import type { AnswerOf } from '#shared/contract.ts'

type Session = AnswerOf<typeof ownAccount.sessions>['data'][number]

/**
 * Returns the live sessions of a user, also those of devices, the latest first; the origin of each comes from the
 * journal entry of its sign-in, or of the device's creation. Devices that are no longer in use are swept with
 * their session.
 */
export async function listOwnSessions(db: Db, userId: number, currentId: number | null): Promise<Session[]> {
  const { rows } = await sql<Session>`
    select s.id, s.created_at as "createdAt", s.id = ${currentId} as "isCurrent",
           coalesce(d.last_used_at, live.expires_at - interval '1 day') as "seenAt", d.name as device,
           origin.address, origin.user_agent as "userAgent"
      from session s
      left join device_key d on d.session_id = s.id
      join lateral (
        select max(expires_at) as expires_at from session_token
         where session_id = s.id and kind = 'refresh') live on live.expires_at > now() or d.session_id is not null
      left join lateral (
        select address, user_agent from audit_entry
         where at = s.created_at
           and (entity = 'session' and entity_id = s.user_id and action = 'sign-in'
             or entity = 'devices' and entity_id = s.id and action = 'create') limit 1) origin on true
     where s.user_id = ${userId} and s.revoked_at is null
     order by s.created_at desc, s.id desc limit 100`.execute(db)
  return rows
}

/** @returns false when it is not a live session of that user */
export async function endOwnSession(tx: Db, userId: number, sessionId: number): Promise<boolean> {
  const { rows } = await sql`
    update session set revoked_at = now()
     where id = ${sessionId}::bigint and user_id = ${userId} and revoked_at is null returning id`.execute(tx)
  return rows.length > 0
}

/** Locks an active account without a picture until the transaction ends; false when it is not one. */
export async function lockAccountWithoutAvatar(tx: Db, userId: number): Promise<boolean> {
  const account = await tx
    .selectFrom('app_user')
    .select('id')
    .where('id', '=', userId)
    .where('status', '=', 'ACTIVE')
    .where('avatar_url', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return account !== undefined
}

/** @param avatar hash of a picture, null to remove it */
export async function setAvatar(tx: Db, userId: number, avatar: string | null): Promise<void> {
  const url = avatar && `/uploads/${avatar}.webp`
  await tx.updateTable('app_user').set({ avatar_url: url }).where('id', '=', userId).execute()
}
