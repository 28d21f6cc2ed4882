import { type RawBuilder, sql } from 'kysely'
import type { Author } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import type { ApiKey } from '#server/http/actor.ts'
import { isInUse } from '#server/session/device-keys.sql.ts'
import { accessLifetimeS, refreshLifetimeS } from '#server/session/tokens.ts'

/** The user and rights of a valid access token or API key. */
export type Bearer<Facts> = {
  session_id: number | null
  key: ApiKey | null
  /** Whether the session was opened by the key of a device. */
  is_device: boolean
  user_id: number
  name: string
  permissions: string[]
  has_second_factor: boolean
  access: Facts
  expires_at: string
}

/**
 * Finds the bearer of a valid access token of an active account; undefined when there is none.
 *
 * @param facts SQL expression about the account `u`, read in the same query
 */
export async function findBearer<Facts>(
  db: Db,
  tokenHash: Buffer,
  facts: RawBuilder<Facts>,
): Promise<Bearer<Facts> | undefined> {
  const { rows } = await sql<Bearer<Facts>>`
    select s.id as session_id, null as key, exists (select from device_key where session_id = s.id) as is_device, u.id as user_id, u.name, t.expires_at, ${facts} as access,
           permissions_of(u.id) as permissions,
           exists (select from second_factor where user_id = u.id and confirmed_at is not null) as has_second_factor
      from session_token t
      join session s on s.id = t.session_id and s.revoked_at is null
      join app_user u on u.id = s.user_id and u.status = 'ACTIVE'
     where t.hash = ${tokenHash} and t.kind = 'access' and t.expires_at > now()`.execute(db)
  return rows[0]
}

/** Finds the bearer of an API key that is neither revoked nor expired. */
export async function findKeyBearer<Facts>(
  db: Db,
  keyHash: Buffer,
  facts: RawBuilder<Facts>,
): Promise<Bearer<Facts> | undefined> {
  const { rows } = await sql<Bearer<Facts>>`
    select null as session_id, json_build_object('id', k.id, 'scopes', k.scopes, 'version', k.version,
             'isReadOnly', k.is_read_only) as key,
           false as is_device, u.id as user_id, u.name, coalesce(k.expires_at, now() + interval '1 day') as expires_at, ${facts} as access,
           permissions_of(u.id) as permissions,
           exists (select from second_factor where user_id = u.id and confirmed_at is not null) as has_second_factor
      from api_key k
      join app_user u on u.id = k.user_id and u.status = 'ACTIVE'
     where k.hash = ${keyHash} and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`.execute(
    db,
  )
  return rows[0]
}

/** @param client name that the browser gives itself; @returns the new id */
export async function insertSession(db: Db, userId: number, client: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into session (user_id, client) values (${userId}, ${client}) returning id`.execute(db)
  return rows[0]!.id
}

/** Inserts the first token pair of a session. */
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

/**
 * Issues a token pair for a refresh token of an active session. Revokes the session when the token was reused: a token
 * of a later generation, or another of the same generation, was used before. It is one statement, so that a session
 * whose tabs all refresh at once is locked only briefly.
 *
 * @returns undefined when the token is not valid; `is_good` is false when the session was revoked
 */
export async function rotateTokens(
  db: Db,
  tokenHash: Buffer,
  hashes: { access: Buffer; refresh: Buffer },
  { requestId, address = null, userAgent = null }: Omit<Author, 'actor'>,
): Promise<{ user_id: number; is_good: boolean } | undefined> {
  const { rows } = await sql<{ user_id: number; is_good: boolean }>`
    with token as materialized (
      select s.id as session_id, s.user_id, t.generation,
             t.generation > s.used_generation as is_first_use,
             t.generation > s.used_generation or coalesce(s.used_hash = t.hash, false) as is_good
        from session_token t
        join session s on s.id = t.session_id
        join app_user u on u.id = s.user_id
       where t.hash = ${tokenHash} and t.kind = 'refresh' and t.expires_at > now()
         and s.revoked_at is null and u.status = 'ACTIVE'
         for update of s),
    marked as (
      update session s set used_generation = token.generation, used_hash = ${tokenHash}
        from token where s.id = token.session_id and token.is_first_use),
    ended as (
      update session s set revoked_at = now()
        from token where s.id = token.session_id and not token.is_good),
    noted as (
      insert into audit_entry (user_id, action, entity, entity_id, request_id, address, user_agent)
      select token.user_id, 'token-reused', 'session', token.user_id, ${requestId}, ${address}, ${userAgent}
        from token where not token.is_good),
    given as (
      insert into session_token (hash, session_id, kind, generation, expires_at)
      select pair.hash, token.session_id, pair.kind, token.generation + 1, now() + make_interval(secs => pair.lifetime)
        from token, (values (${hashes.access}::bytea, 'access', ${accessLifetimeS}::float8),
                            (${hashes.refresh}::bytea, 'refresh', ${refreshLifetimeS}::float8)) as pair (hash, kind, lifetime)
       where token.is_good)
    select user_id, is_good from token`.execute(db)
  return rows[0]
}

/** Whether a refresh token would be accepted now. */
export async function isRefreshTokenLive(db: Db, tokenHash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    select from session_token t
      join session s on s.id = t.session_id and s.revoked_at is null
      join app_user u on u.id = s.user_id and u.status = 'ACTIVE'
     where t.hash = ${tokenHash} and t.kind = 'refresh' and t.expires_at > now()
       and (t.generation > s.used_generation or t.hash = s.used_hash)`.execute(db)
  return rows.length > 0
}

/** Revokes a session and so its tokens. @returns the user's id; undefined when it was already revoked */
export async function revokeSession(db: Db, sessionId: number): Promise<number | undefined> {
  const { rows } = await sql<{ user_id: number }>`
    update session set revoked_at = now() where id = ${sessionId} and revoked_at is null returning user_id`.execute(
    db,
  )
  return rows[0]?.user_id
}

/** Finds the password hash; null for an account without one (external sign-in, or no password chosen yet). */
export async function findPasswordHash(db: Db, userId: number): Promise<string | null> {
  const { rows } = await sql<{ password_hash: string | null }>`
    select password_hash from app_user where id = ${userId}`.execute(db)
  return rows[0]?.password_hash ?? null
}

/** Revokes the sessions of a user, except one if given. */
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

/** Finds the session of a refresh token, active or not. */
export async function findSessionOfRefreshToken(
  db: Db,
  tokenHash: Buffer,
): Promise<{ id: number; user_id: number } | undefined> {
  const { rows } = await sql<{ id: number; user_id: number }>`
    select s.id, s.user_id from session_token t join session s on s.id = t.session_id
     where t.hash = ${tokenHash} and t.kind = 'refresh'`.execute(db)
  return rows[0]
}

/** Deletes expired tokens, and sessions without tokens or devices in use, which cannot be resumed. */
export async function sweepSessions(db: Db): Promise<void> {
  await sql`delete from session_token where expires_at < now() - interval '1 day'`.execute(db)
  await sql`delete from session s where created_at < now() - interval '2 days'
             and not exists (select from session_token t where t.session_id = s.id)
             and not exists (select from device_key d where d.session_id = s.id and d.${isInUse})`.execute(db)
}
