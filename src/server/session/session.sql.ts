import { type RawBuilder, sql } from 'kysely'
import type { Author } from '#server/audit.sql.ts'
import type { Db } from '#server/db/pool.ts'
import type { ApiKey } from '#server/http/actor.ts'
import { isInUse } from '#server/session/device-keys.sql.ts'
import { accessLifetimeS, refreshLifetimeS } from '#server/session/tokens.ts'

/** What a valid access token says of its bearer. */
export type Bearer<Facts> = {
  session_id: number | null
  key: ApiKey | null
  user_id: number
  name: string
  permissions: string[]
  has_second_factor: boolean
  access: Facts
  expires_at: string
}

/**
 * The bearer of a live access token of an active account, else undefined.
 *
 * @param facts a value about the account `u`, read with him
 */
export async function findBearer<Facts>(
  db: Db,
  tokenHash: Buffer,
  facts: RawBuilder<Facts>,
): Promise<Bearer<Facts> | undefined> {
  const { rows } = await sql<Bearer<Facts>>`
    select s.id as session_id, null as key, u.id as user_id, u.name, t.expires_at, ${facts} as access,
           permissions_of(u.id) as permissions,
           exists (select from second_factor where user_id = u.id and confirmed_at is not null) as has_second_factor
      from session_token t
      join session s on s.id = t.session_id and s.revoked_at is null
      join app_user u on u.id = s.user_id and u.status = 'ACTIVE'
     where t.hash = ${tokenHash} and t.kind = 'access' and t.expires_at > now()`.execute(db)
  return rows[0]
}

/** The same of a key that is neither revoked nor over. */
export async function findKeyBearer<Facts>(
  db: Db,
  keyHash: Buffer,
  facts: RawBuilder<Facts>,
): Promise<Bearer<Facts> | undefined> {
  const { rows } = await sql<Bearer<Facts>>`
    select null as session_id, json_build_object('id', k.id, 'scopes', k.scopes, 'version', k.version,
             'isReadOnly', k.is_read_only) as key,
           u.id as user_id, u.name, coalesce(k.expires_at, now() + interval '1 day') as expires_at, ${facts} as access,
           permissions_of(u.id) as permissions,
           exists (select from second_factor where user_id = u.id and confirmed_at is not null) as has_second_factor
      from api_key k
      join app_user u on u.id = k.user_id and u.status = 'ACTIVE'
     where k.hash = ${keyHash} and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`.execute(
    db,
  )
  return rows[0]
}

/** @param client the browser, as it names itself; @returns the new id */
export async function insertSession(db: Db, userId: number, client: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into session (user_id, client) values (${userId}, ${client}) returning id`.execute(db)
  return rows[0]!.id
}

/** The first pair of a session. */
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
 * Gives a pair for a refresh token of a live session, or ends the session when the token should be in nobody's hands any
 * more: one of a later generation was used, or another of its own. One statement, so that a session whose tabs all wake up
 * at once is locked for a moment only.
 *
 * @returns undefined when the token opens nothing; `is_good` is false when the session was ended
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

/** Whether a refresh token would be taken now, as far as its session and its user go. */
export async function isRefreshTokenLive(db: Db, tokenHash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    select from session_token t
      join session s on s.id = t.session_id and s.revoked_at is null
      join app_user u on u.id = s.user_id and u.status = 'ACTIVE'
     where t.hash = ${tokenHash} and t.kind = 'refresh' and t.expires_at > now()
       and (t.generation > s.used_generation or t.hash = s.used_hash)`.execute(db)
  return rows.length > 0
}

/** Ends a session, whose tokens then open nothing. @returns whose it was, undefined when it had ended already */
export async function revokeSession(db: Db, sessionId: number): Promise<number | undefined> {
  const { rows } = await sql<{ user_id: number }>`
    update session set revoked_at = now() where id = ${sessionId} and revoked_at is null returning user_id`.execute(
    db,
  )
  return rows[0]?.user_id
}

/** Null for an account without a password: one that signs in elsewhere, or has yet to choose one. */
export async function findPasswordHash(db: Db, userId: number): Promise<string | null> {
  const { rows } = await sql<{ password_hash: string | null }>`
    select password_hash from app_user where id = ${userId}`.execute(db)
  return rows[0]?.password_hash ?? null
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
             and not exists (select from session_token t where t.session_id = s.id)
             and not exists (select from device_key d where d.session_id = s.id and d.${isInUse})`.execute(db)
}
