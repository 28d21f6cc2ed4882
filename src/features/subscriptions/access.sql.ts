import { type RawBuilder, sql } from 'kysely'
import type { subscribers } from '#features/subscriptions/subscriptions.contract.ts'
import {
  type AccessFacts,
  type CallFacts,
  mayReadPrices,
} from '#features/subscriptions/subscriptions.rules.ts'
import { isClosed } from '#features/users/closing/closing.sql.ts'
import { isoInstant } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'
import { contains, inFrench } from '#server/db/selection.ts'
import type { QueryOf } from '#shared/contract.ts'

/** Position of the member `seat` among the members, from 1. */
export const rank = sql<number>`(
  select count(*) from seat other
   where other.owner_id = seat.owner_id and (other.accepted_at, other.id) <= (seat.accepted_at, seat.id))`

const quotas = { minute: 'calls_per_minute', month: 'calls_per_month', sms: 'sms_per_month' } as const
const part = (name: keyof typeof quotas) => sql`${sql.ref(`plan.${quotas[name]}`)} / plan.seats`
const quota = (name: keyof typeof quotas) =>
  sql`${sql.ref(`plan.${quotas[name]}`)} - ${part(name)} * coalesce(taken.members, 0)`

/**
 * Returns the subscriptions that give a user access: their own, and those of the organisation they are a member of, if
 * its plan has enough seats; the latest members lose their seat first. A plan's quotas are divided equally by its
 * seats: each member has one part, and the owner the rest.
 */
export const heldBy = (user: RawBuilder<unknown>) => sql`(
  select s.id, s.status, s.start_date, s.end_date, ${quota('minute')} as minute, ${quota('month')} as month, ${quota('sms')} as sms
    from subscription s left join plan on plan.id = s.plan_id
         cross join lateral (
           select least(count(*), plan.seats - 1) as members from seat where owner_id = s.user_id and user_id is not null) taken
   where s.user_id = ${user}
  union all
  select s.id, s.status, s.start_date, s.end_date, ${part('minute')}, ${part('month')}, ${part('sms')}
    from seat join subscription s on s.user_id = seat.owner_id and s.status = 'ACTIVE' join plan on plan.id = s.plan_id
   where seat.user_id = ${user} and ${rank} < plan.seats) held`

/** The facts that decide the access of the account `u`. */
export const accessFacts = sql<AccessFacts & CallFacts>`
  json_build_object('accountCreatedAt', ${isoInstant('u.created_at')}, 'isEmailVerified', u.email_verified,
    'trial', free_trial_of(u.id), 'subscriptions', coalesce((
    select json_agg(json_build_object('status', status, 'startDate', start_date, 'endDate', end_date,
             'minute', minute, 'month', month, 'sms', sms))
      from ${heldBy(sql.ref('u.id'))} where end_date > now() or status = 'PAUSED'), '[]'))`

/** Returns the facts that decide the access and the quotas of a user. */
export async function getCallFacts(db: Db, userId: number): Promise<AccessFacts & CallFacts> {
  const { rows } = await sql<{ facts: AccessFacts & CallFacts }>`
    select ${accessFacts} as facts from app_user u where id = ${userId}`.execute(db)
  return rows[0]!.facts
}

/** Returns whether a user may read prices at a moment. */
export async function mayReadNow(db: Db, userId: number, at: Date): Promise<boolean> {
  const { rows } = await sql<Parameters<typeof mayReadPrices>[0]>`
    select permissions_of(u.id) as permissions, ${accessFacts} as access from app_user u where id = ${userId}`.execute(
    db,
  )
  const [facts] = rows
  return facts !== undefined && mayReadPrices(facts, at)
}

export type AccessState = AccessFacts & {
  hadTrial: boolean
  /** Whether the user has a subscription that gives access now or later. */
  hasSubscription: boolean
}

/**
 * Returns the facts that decide whether a user may read and what they may choose.
 * @param lock locks the user's subscriptions until the transaction ends
 */
export async function getSubscriber(db: Db, userId: number, at: Date, lock = false): Promise<AccessState> {
  if (lock) await lockSubscriber(db, userId)
  const { rows } = await sql<AccessState>`
    select ${isoInstant('u.created_at')} as "accountCreatedAt", u.email_verified as "isEmailVerified",
           free_trial_of(u.id) as trial,
           exists (select from subscription where user_id = u.id and (status = 'TRIAL' or plan_id is null)) as "hadTrial",
           exists (select from subscription where user_id = u.id and (status = 'PAUSED' or status in ('ACTIVE', 'TRIAL') and end_date > ${at})) as "hasSubscription",
           coalesce((select json_agg(json_build_object('status', status,
               'startDate', ${isoInstant('start_date')}, 'endDate', ${isoInstant('end_date')}))
             from ${heldBy(sql.ref('u.id'))} where end_date > ${at} or status = 'PAUSED'), '[]') as subscriptions
      from app_user u where u.id = ${userId}`.execute(db)
  return rows[0]!
}

/** Locks the subscriptions of a user until the transaction ends; other rows may still refer to the user. */
export async function lockSubscriber(tx: Db, userId: number): Promise<void> {
  await sql`select from app_user where id = ${userId} for no key update`.execute(tx)
}

/** Limit of every selection of users. */
const mostChoices = 200

/** Returns the users whose role does not give access without a subscription, by name; closed accounts are left out. */
export function listSubscribers(db: Db, { search }: QueryOf<typeof subscribers>) {
  let selection = db.selectFrom('app_user as u').where(
    sql<boolean>`not exists (
        select from user_role join role_permission using (role_id) join permission on permission.id = permission_id
         where user_role.user_id = u.id and permission.name = 'access.exempt')
      and not ${isClosed(sql.ref('u.id'), sql.ref('u.email'))}`,
  )
  if (search) selection = selection.where(contains(sql`fold(u.name || ' ' || u.email)`, search))
  return selection
    .select(['u.id', 'u.name', 'u.email'])
    .orderBy(inFrench('u.name'))
    .orderBy('u.id')
    .limit(mostChoices)
    .execute()
}
