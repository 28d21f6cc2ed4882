import { sql } from 'kysely'
import type { Plan } from '#features/plans/plans.contract.ts'
import {
  type Subscription,
  type SubscriptionStatus,
  subscriptions,
  type subscriptionsOfUser,
} from '#features/subscriptions/subscriptions.contract.ts'
import { isoInstant } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'
import { defineRows } from '#server/db/rows.ts'
import { countOf, hasWords, inFrench, isId, offsetOf } from '#server/db/selection.ts'
import type { Use } from '#server/writes.ts'
import type { BodyOf, QueryOf } from '#shared/contract.ts'

const planRef = sql<Plan | null>`
  case when plan.id is not null then json_build_object(
    'id', plan.id, 'name', plan.name, 'description', plan.description, 'price', trim_scale(plan.price),
    'currency', plan.currency, 'billingPeriod', plan.billing_period, 'isActive', plan.is_active,
    'callsPerMinute', plan.calls_per_minute, 'callsPerMonth', plan.calls_per_month, 'smsPerMonth', plan.sms_per_month, 'seats', plan.seats, 'features', plan.features,
    'created_at', ${isoInstant('plan.created_at')}, 'updated_at', ${isoInstant('plan.updated_at')}) end`
const user = sql<{ id: number; name: string; email: string; status: string }>`
  json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'status', u.status)`
const currentStatus = sql<SubscriptionStatus>`subscription_status(subscription.status, subscription.end_date)`
const columns = [
  'subscription.id',
  'subscription.user_id as userId',
  'subscription.plan_id as planId',
  planRef.as('planRef'),
  'plan.name as plan',
  user.as('user'),
  'subscription.start_date as startDate',
  'subscription.end_date as endDate',
  currentStatus.as('status'),
  sql<number>`(select count(*) from payment where payment.subscription_id = subscription.id)`.as(
    'paymentsCount',
  ),
  'subscription.canceled_at as canceledAt',
  sql<Subscription['cancelReason']>`subscription.cancel_reason`.as('cancelReason'),
  'subscription.cancel_note as cancelNote',
  sql<Subscription['nextPlan']>`(
    select json_build_object('id', next.id, 'name', next.name) from plan next where next.id = subscription.next_plan_id)`.as(
    'nextPlan',
  ),
  'subscription.paused_at as pausedAt',
  'subscription.pause_reason as pauseReason',
  'subscription.created_at as createdAt',
  'subscription.updated_at as updatedAt',
] as const
const sorts = {
  startDate: sql`subscription.start_date`,
  endDate: sql`subscription.end_date`,
  user: inFrench('u.name'),
  plan: inFrench('plan.name'),
}

/** Whether a subscription in force ends within a week. */
const endsSoon = sql<boolean>`(subscription.status in ('ACTIVE', 'TRIAL') and subscription.end_date > now()
  and subscription.end_date <= now() + interval '7 days')`

export const subscriptionRows = defineRows(subscriptions, {
  table: 'subscription',
  columns,
  sorts,
  defaultSort: '-startDate',
  from: (db: Db) =>
    db
      .selectFrom('subscription')
      .innerJoin('app_user as u', 'u.id', 'subscription.user_id')
      .leftJoin('plan', 'plan.id', 'subscription.plan_id'),
  filters: {
    search: hasWords(sql`fold(u.name || ' ' || u.email || ' ' || coalesce(u.location, ''))`),
    status: (status) => sql`${currentStatus} = ${status}`,
    userId: isId('subscription.user_id'),
    planId: isId('subscription.plan_id'),
    ending: (ending) => sql`${endsSoon} = ${ending}`,
  },
})

/** Returns the subscriptions of a user, the one in force first, then the latest. */
export async function listSubscriptionsOfUser(
  db: Db,
  userId: number,
  query: Omit<QueryOf<typeof subscriptionsOfUser>, 'page' | 'limit'> & { page: number; limit: number },
  at: Date,
) {
  const selection = subscriptionRows.select(db, { userId, status: query.status })
  const inForce = sql<boolean>`subscription.status in ('ACTIVE', 'TRIAL')
    and subscription.start_date <= ${at} and ${at} < subscription.end_date`
  const page = selection
    .select(columns)
    .orderBy(inForce, 'desc')
    .orderBy('subscription.end_date', 'desc')
    .orderBy('subscription.id', 'desc')
    .limit(query.limit)
    .offset(offsetOf(query))
  return { rows: await page.execute(), total: await countOf(selection) }
}

export type NewSubscription = {
  userId: number
  planId: number | null
  startDate: string
  endDate: string
  status: 'TRIAL' | 'ACTIVE' | 'EXPIRED' | 'CANCELED'
}

export async function insertSubscription(tx: Db, given: NewSubscription): Promise<number> {
  const { id } = await tx
    .insertInto('subscription')
    .values({
      user_id: given.userId,
      plan_id: given.planId,
      start_date: given.startDate,
      end_date: given.endDate,
      status: given.status,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateSubscription(
  tx: Db,
  id: number,
  { planId, startDate, endDate, status }: BodyOf<typeof subscriptions.update>,
): Promise<void> {
  await tx
    .updateTable('subscription')
    .set({
      plan_id: planId,
      start_date: startDate,
      end_date: endDate,
      status,
      updated_at: sql<string>`now()`,
    })
    .where('id', '=', id)
    .execute()
}

/** @returns the number of subscriptions in the list with `ending=true` */
export async function countEndingSubscriptions(db: Db): Promise<number> {
  return countOf(subscriptionRows.select(db, { ending: true }))
}

export async function countUsesOfSubscription(tx: Db, id: number): Promise<Use[]> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from payment where subscription_id = ${id} or replaces_id = ${id}`.execute(tx)
  return [{ count: rows[0]?.count ?? 0, one: 'paiement', many: 'paiements' }]
}
