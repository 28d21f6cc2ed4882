import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'
import { accessLifetimeS, refreshLifetimeS } from '#server/session/tokens.ts'

/** What a valid access token says of its bearer. */
export type Bearer = {
  session_id: number
  user_id: number
  name: string
  account_created_at: string
  permissions: string[]
  subscriptions: { status: string; startDate: string; endDate: string }[]
  expires_at: string
}

/** The bearer of a live access token of an active account, else undefined. */
export async function findBearer(db: Db, tokenHash: Buffer): Promise<Bearer | undefined> {
  const { rows } = await sql<Bearer>`
    select s.id as session_id, u.id as user_id, u.name, u.created_at as account_created_at, t.expires_at,
           permissions_of(u.id) as permissions,
           coalesce((select json_agg(json_build_object('status', status, 'startDate', start_date, 'endDate', end_date))
                       from subscription where user_id = u.id and end_date > now()), '[]') as subscriptions
      from session_token t
      join session s on s.id = t.session_id and s.revoked_at is null
      join app_user u on u.id = s.user_id and u.status = 'ACTIVE'
     where t.hash = ${tokenHash} and t.kind = 'access' and t.expires_at > now()`.execute(db)
  return rows[0]
}

/** @param client tells the user’s own browser from another one, see `lockRefreshToken`; @returns the new id */
export async function insertSession(db: Db, userId: number, client: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into session (user_id, client) values (${userId}, ${client}) returning id`.execute(db)
  return rows[0]!.id
}

/** A new pair for a session. */
export async function insertTokens(
  db: Db,
  sessionId: number,
  hashes: { access: Buffer; refresh: Buffer },
): Promise<void> {
  await sql`
    insert into session_token (hash, session_id, kind, expires_at) values
      (${hashes.access}, ${sessionId}, 'access', now() + make_interval(secs => ${accessLifetimeS})),
      (${hashes.refresh}, ${sessionId}, 'refresh', now() + make_interval(secs => ${refreshLifetimeS}))`.execute(
    db,
  )
}

type RefreshToken = {
  session_id: number
  user_id: number
  client: string
  is_live: boolean
  used_s_ago: number | null
}

/** Locks the token's row, so that two uses of it come one after the other. */
export async function lockRefreshToken(db: Db, tokenHash: Buffer): Promise<RefreshToken | undefined> {
  const { rows } = await sql<RefreshToken>`
    select s.id as session_id, s.user_id, s.client,
           s.revoked_at is null and t.expires_at > now() and u.status = 'ACTIVE' as is_live,
           extract(epoch from clock_timestamp() - t.used_at)::float8 as used_s_ago
      from session_token t
      join session s on s.id = t.session_id
      join app_user u on u.id = s.user_id
     where t.hash = ${tokenHash} and t.kind = 'refresh'
       for update of t`.execute(db)
  return rows[0]
}

/** Remembers the first use of a refresh token; later ones change nothing. */
export async function markUsed(db: Db, tokenHash: Buffer): Promise<void> {
  await sql`update session_token set used_at = clock_timestamp() where hash = ${tokenHash} and used_at is null`.execute(
    db,
  )
}

/** Ends a session, whose tokens then open nothing. */
export async function revokeSession(db: Db, sessionId: number): Promise<void> {
  await sql`update session set revoked_at = now() where id = ${sessionId} and revoked_at is null`.execute(db)
}

/** Ends the sessions of a user, but for one when it is named. */
export async function revokeSessionsOf(
  db: Db,
  userId: number,
  exceptId: number | null = null,
): Promise<void> {
  await sql`update session set revoked_at = now()
             where user_id = ${userId} and revoked_at is null and id is distinct from ${exceptId}::bigint`.execute(
    db,
  )
}

/** The session that a refresh token belongs to, whether live or not. */
export async function findSessionOfRefreshToken(
  db: Db,
  tokenHash: Buffer,
): Promise<{ id: number; user_id: number } | undefined> {
  const { rows } = await sql<{ id: number; user_id: number }>`
    select s.id, s.user_id from session_token t join session s on s.id = t.session_id
     where t.hash = ${tokenHash} and t.kind = 'refresh'`.execute(db)
  return rows[0]
}

/** Tokens that have expired prove nothing any more, and sessions without tokens cannot come back. */
export async function sweepSessions(db: Db): Promise<void> {
  await sql`delete from session_token where expires_at < now() - interval '1 day'`.execute(db)
  await sql`delete from session s where created_at < now() - interval '2 days'
             and not exists (select from session_token t where t.session_id = s.id)`.execute(db)
}
