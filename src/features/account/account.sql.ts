import { sql } from 'kysely'
import type { ownAccount } from '#features/account/account.contract.ts'
import type { Db } from '#server/db/pool.ts'
import type { AnswerOf } from '#shared/contract.ts'

type Session = AnswerOf<typeof ownAccount.sessions>['data'][number]

/** The live sessions of a user, the latest first; where each began is what the journal says of its sign-in. */
export async function listOwnSessions(db: Db, userId: number, currentId: number): Promise<Session[]> {
  const { rows } = await sql<Session>`
    select s.id, s.created_at as "createdAt", s.id = ${currentId} as "isCurrent",
           live.expires_at - interval '1 day' as "seenAt", origin.address, origin.user_agent as "userAgent"
      from session s
      join lateral (
        select max(expires_at) as expires_at from session_token
         where session_id = s.id and kind = 'refresh') live on live.expires_at > now()
      left join lateral (
        select address, user_agent from audit_entry
         where entity = 'session' and entity_id = s.user_id and action = 'sign-in' and at = s.created_at limit 1) origin on true
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

/** @param avatar the hash of a picture, null for none any more, undefined for the one that is there */
export async function setAvatar(tx: Db, userId: number, avatar: string | null): Promise<void> {
  const url = avatar && `/uploads/${avatar}.webp`
  await tx.updateTable('app_user').set({ avatar_url: url }).where('id', '=', userId).execute()
}

/** Everything that is kept of somebody, by kind; what others wrote is not. */
export async function collectOwnData(db: Db, userId: number): Promise<Record<string, unknown>> {
  const { rows } = await sql<{ data: Record<string, unknown> }>`
    select jsonb_build_object(
      'account', (select to_jsonb(u) - 'password_hash' from app_user u where id = ${userId}),
      'roles', (select jsonb_agg(role.name) from user_role join role on role.id = role_id where user_id = ${userId}),
      'sessions', (select jsonb_agg(jsonb_build_object('createdAt', created_at, 'endedAt', revoked_at, 'browser', client)) from session where user_id = ${userId}),
      'subscriptions', (select jsonb_agg(to_jsonb(s)) from subscription s where user_id = ${userId}),
      'payments', (select jsonb_agg(to_jsonb(p)) from payment p where p.user_id = ${userId}),
      'markets', (select jsonb_agg(jsonb_build_object('id', m.id, 'name', m.name)) from agent_market join market m on m.id = market_id where user_id = ${userId}),
      'prices', (select jsonb_agg(to_jsonb(p) - 'lane' - 'log_value') from price p where written_by = ${userId}),
      'secondFactor', (select jsonb_build_object('onSince', confirmed_at) from second_factor where user_id = ${userId}),
      'links', (select jsonb_agg(jsonb_build_object('purpose', purpose, 'email', email, 'createdAt', created_at, 'usedAt', used_at)) from account_link where user_id = ${userId}),
      'notifications', (select jsonb_agg(jsonb_build_object('kind', kind, 'isWanted', is_wanted)) from notification_choice where user_id = ${userId}),
      'imports', (select jsonb_agg(jsonb_build_object('id', id, 'fileName', file_name, 'createdAt', created_at)) from import where ${userId} in (author_id, actor_id)),
      'views', (select jsonb_agg(jsonb_build_object('name', name, 'path', path, 'search', search, 'createdAt', created_at) order by id) from saved_view where user_id = ${userId}),
      'journal', (select jsonb_agg(to_jsonb(a) order by id) from audit_entry a where user_id = ${userId})) as data`.execute(
    db,
  )
  return rows[0]?.data ?? {}
}
