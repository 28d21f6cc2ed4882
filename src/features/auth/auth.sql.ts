import { sql } from 'kysely'
import type { Account, OwnSubscription } from '#features/auth/auth.contract.ts'
import { isoInstant } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'

export type Credentials = { id: number; password_hash: string | null; status: string }

export function findCredentials(db: Db, email: string): Promise<Credentials | undefined> {
  return db
    .selectFrom('app_user')
    .select(['id', 'password_hash', 'status'])
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .executeTakeFirst()
}

type Identity = {
  user: Omit<Account, 'needsSecondFactor'>
  isFirstLogin: boolean
  daysSinceAccountCreation: number
  subscriptions: OwnSubscription[]
  hasSecondFactor: boolean
}

/** Returns a user with roles, permissions and subscriptions, the one in force first. */
export async function getIdentity(db: Db, userId: number): Promise<Identity> {
  const { rows } = await sql<Identity>`
    select json_build_object(
             'id', u.id, 'name', u.name, 'email', u.email, 'status', u.status, 'location', u.location,
             'avatar', u.avatar_url, 'avatar_url', u.avatar_url, 'auth_provider', u.auth_provider,
             'email_verified', u.email_verified, 'hasPassword', u.password_hash is not null,
             'created_at', ${isoInstant('u.created_at')}, 'updated_at', ${isoInstant('u.updated_at')},
             'user_roles', coalesce(r.user_roles, '[]'), 'roles', coalesce(r.names, '[]'),
             'permissions', to_json(permissions_of(u.id))) as user,
           u.first_signed_in_at is null as "isFirstLogin",
           extract(day from now() - u.created_at)::int as "daysSinceAccountCreation",
           coalesce(s.subscriptions, '[]') as subscriptions,
           exists (select from second_factor where user_id = u.id and confirmed_at is not null) as "hasSecondFactor"
      from app_user u
      left join lateral (
        select json_agg(json_build_object('role_id', role.id, 'role', json_build_object('id', role.id, 'name', role.name)) order by role.id) as user_roles,
               json_agg(role.name order by role.id) as names
          from user_role join role on role.id = user_role.role_id
         where user_role.user_id = u.id) r on true
      left join lateral (
        select json_agg(json_build_object('id', subscription.id, 'userId', user_id, 'planId', plan_id, 'plan', plan.name,
                 'startDate', ${isoInstant('start_date')}, 'endDate', ${isoInstant('end_date')}, 'status', subscription_status(status, end_date))
                 order by (status in ('ACTIVE', 'TRIAL') and now() >= start_date and now() < end_date) desc, end_date desc, subscription.id) as subscriptions
          from subscription left join plan on plan.id = plan_id
         where user_id = u.id) s on true
     where u.id = ${userId}`.execute(db)
  const [identity] = rows
  if (!identity) throw new Error(`no user ${userId}`)
  return identity
}

/** Replaces the hash of an unchanged password, unless the password was changed in the meantime. */
export async function renewPasswordHash(db: Db, userId: number, old: string, renewed: string): Promise<void> {
  await sql`update app_user set password_hash = ${renewed} where id = ${userId} and password_hash = ${old}`.execute(
    db,
  )
}

export async function markSignedIn(tx: Db, userId: number): Promise<void> {
  await tx
    .updateTable('app_user')
    .set({ first_signed_in_at: sql<string>`now()` })
    .where('id', '=', userId)
    .where('first_signed_in_at', 'is', null)
    .execute()
}
