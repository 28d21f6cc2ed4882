import { sql } from 'kysely'
import type { Plan } from '#features/plans/plans.contract.ts'
import type { subscriptions, subscriptionsOfUser } from '#features/subscriptions/subscriptions.contract.ts'
import type { AccessFacts } from '#features/subscriptions/subscriptions.rules.ts'
import { isoInstant } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'
import { contains, countOf, inFrench, offsetOf, orderOf } from '#server/db/selection.ts'
import type { Use } from '#server/writes.ts'
import type { BodyOf, QueryOf, SelectionOf } from '#shared/contract.ts'

/** What the access of the account `u` rests on. */
export const accessFacts = sql<AccessFacts>`
  json_build_object('accountCreatedAt', ${isoInstant('u.created_at')}, 'subscriptions', coalesce((
    select json_agg(json_build_object('status', status, 'startDate', start_date, 'endDate', end_date))
      from subscription where user_id = u.id and end_date > now()), '[]'))`

const planRef = sql<Plan | null>`
  case when plan.id is not null then json_build_object(
    'id', plan.id, 'name', plan.name, 'description', plan.description, 'price', trim_scale(plan.price),
    'currency', plan.currency, 'billingPeriod', plan.billing_period, 'isActive', plan.is_active, 'features', plan.features,
    'created_at', ${isoInstant('plan.created_at')}, 'updated_at', ${isoInstant('plan.updated_at')}) end`
const user = sql<{ id: number; name: string; email: string; status: string }>`
  json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'status', u.status)`
const columns = [
  'subscription.id',
  'subscription.user_id as userId',
  'subscription.plan_id as planId',
  planRef.as('planRef'),
  'plan.name as plan',
  user.as('user'),
  'subscription.start_date as startDate',
  'subscription.end_date as endDate',
  sql<'TRIAL' | 'ACTIVE' | 'EXPIRED' | 'CANCELED'>`subscription.status`.as('status'),
  sql<number>`(select count(*) from payment where payment.subscription_id = subscription.id)`.as(
    'paymentsCount',
  ),
  'subscription.created_at as createdAt',
  'subscription.updated_at as updatedAt',
] as const
const sorts = {
  startDate: sql`subscription.start_date`,
  endDate: sql`subscription.end_date`,
  user: inFrench('u.name'),
  plan: inFrench('plan.name'),
}

export async function listSubscriptions(db: Db, query: QueryOf<typeof subscriptions.list>) {
  const page = selectAllSubscriptions(db, query).limit(query.limit).offset(offsetOf(query))
  return { rows: await page.execute(), total: await countOf(select(db, query)) }
}

export function selectAllSubscriptions(db: Db, query: SelectionOf<typeof subscriptions.list>) {
  return select(db, query)
    .select(columns)
    .orderBy(orderOf(sorts, query.sort, 'subscription.id', '-startDate'))
}

/** One user's, the one in force first, then the latest. */
export async function listSubscriptionsOfUser(
  db: Db,
  userId: number,
  query: Omit<QueryOf<typeof subscriptionsOfUser>, 'page' | 'limit'> & { page: number; limit: number },
  at: Date,
) {
  const selection = select(db, { userId, status: query.status })
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

/** @param ownerId whose it must be; anybody's without it */
export function findSubscription(db: Db, id: number, ownerId?: number) {
  let selection = select(db, {}).where('subscription.id', '=', sql<number>`${id}::bigint`)
  if (ownerId !== undefined) selection = selection.where('subscription.user_id', '=', ownerId)
  return selection.select(columns).executeTakeFirst()
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

export async function deleteSubscription(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('subscription').where('id', '=', id).execute()
}

export async function countUsesOfSubscription(tx: Db, id: number): Promise<Use[]> {
  const { count } = await tx
    .selectFrom('payment')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('subscription_id', '=', id)
    .executeTakeFirstOrThrow()
  return [{ count, one: 'paiement', many: 'paiements' }]
}

export type AccessState = {
  accountCreatedAt: string
  isEmailVerified: boolean
  hadTrial: boolean
  /** One that opens the data now, or will. */
  hasSubscription: boolean
  subscriptions: { status: string; startDate: string; endDate: string }[]
}

/**
 * What decides whether a user may read and what he may choose.
 *
 * @param lock nothing about his subscriptions is decided by anybody else until the transaction ends
 */
export async function getSubscriber(db: Db, userId: number, at: Date, lock = false): Promise<AccessState> {
  if (lock) await lockSubscriber(db, userId)
  const { rows } = await sql<AccessState>`
    select ${isoInstant('u.created_at')} as "accountCreatedAt", u.email_verified as "isEmailVerified",
           exists (select from subscription where user_id = u.id and (status = 'TRIAL' or plan_id is null)) as "hadTrial",
           exists (select from subscription where user_id = u.id and status in ('ACTIVE', 'TRIAL') and end_date > ${at}) as "hasSubscription",
           coalesce((select json_agg(json_build_object('status', status,
               'startDate', ${isoInstant('start_date')}, 'endDate', ${isoInstant('end_date')}))
             from subscription where user_id = u.id and end_date > ${at}), '[]') as subscriptions
      from app_user u where u.id = ${userId}`.execute(db)
  return rows[0]!
}

// Others may go on referring to the user meanwhile.
async function lockSubscriber(tx: Db, userId: number): Promise<void> {
  await sql`select from app_user where id = ${userId} for no key update`.execute(tx)
}

/**
 * Opens the subscription that a payment pays for: from the end of what its user has, or from now, for one period of the
 * plan. It is opened once, however often it is asked for, and one after the other when a user has paid twice.
 *
 * @returns its id
 */
export async function activateSubscription(
  tx: Db,
  { userId, planId, paymentId }: { userId: number; planId: number; paymentId: number },
  at: Date,
): Promise<number> {
  await lockSubscriber(tx, userId)
  await sql`
    insert into subscription (user_id, plan_id, payment_id, status, start_date, end_date)
    select ${userId}, plan.id, ${paymentId}, 'ACTIVE', first.day,
           ${periodAfter}
      from plan, (${firstFreeDay(userId, at)}) first
     where plan.id = ${planId}
    on conflict (payment_id) do nothing`.execute(tx)
  const { id } = await tx
    .selectFrom('subscription')
    .select('id')
    .where('payment_id', '=', paymentId)
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Has a payment that was recorded for a subscription pay for it, once however often it is asked for. A period that no
 * payment has paid for is what this one pays: an ACTIVE one that runs stays as it is; another (TRIAL, EXPIRED, CANCELED, or
 * over) becomes ACTIVE for one period of its plan, from the end of what its user has, or from now. One that another payment
 * paid is followed by a new one, as when its user pays again. A trial without a plan has no period: nothing becomes of it.
 *
 * @returns the id of the one that the payment belongs to
 */
export async function paySubscription(
  tx: Db,
  { subscriptionId, userId, paymentId }: { subscriptionId: number; userId: number; paymentId: number },
  at: Date,
): Promise<number> {
  await lockSubscriber(tx, userId)
  const { rows } = await sql<{ planId: number | null; isPaid: boolean; isRunning: boolean }>`
    select plan_id as "planId", status = 'ACTIVE' and end_date > ${at} as "isRunning",
           payment_id is not null or exists (
             select from payment where subscription_id = subscription.id and status = 'PAID' and id <> ${paymentId}) as "isPaid"
      from subscription where id = ${subscriptionId} and payment_id is distinct from ${paymentId} for update`.execute(
    tx,
  )
  const [held] = rows
  if (!held || held.planId === null) return subscriptionId
  if (held.isPaid) return activateSubscription(tx, { userId, planId: held.planId, paymentId }, at)
  if (held.isRunning) {
    await sql`update subscription set payment_id = ${paymentId} where id = ${subscriptionId}`.execute(tx)
    return subscriptionId
  }
  await sql`
    update subscription s
       set status = 'ACTIVE', payment_id = ${paymentId}, updated_at = now(),
           start_date = case when s.status = 'TRIAL' and s.end_date > ${at} then s.start_date else first.day end,
           end_date = ${periodAfter}
      from plan, (${firstFreeDay(userId, at)}) first
     where s.id = ${subscriptionId} and plan.id = s.plan_id`.execute(tx)
  return subscriptionId
}

// From the end of what a user has, or from now.
const firstFreeDay = (userId: number, at: Date) => sql`
  select greatest(${at}::timestamptz, max(end_date)) as day from subscription
   where user_id = ${userId} and status in ('ACTIVE', 'TRIAL') and end_date > ${at}`
const periodAfter = sql`(first.day at time zone 'UTC'
  + case billing_period when 'YEARLY' then interval '1 year' else interval '1 month' end) at time zone 'UTC'`

/** What a refunded payment had opened is over. @returns its id, when there is one */
export async function cancelSubscriptionPaidBy(tx: Db, paymentId: number): Promise<number | undefined> {
  const row = await tx
    .updateTable('subscription')
    .set({ status: 'CANCELED' })
    .where('payment_id', '=', paymentId)
    .where('status', '=', 'ACTIVE')
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Those that are over and do not say so yet, marked. @returns their ids */
export async function expireSubscriptions(tx: Db, at: Date): Promise<{ id: number; status: string }[]> {
  const { rows } = await sql<{ id: number; status: string }>`
    with over as (
      select id, status from subscription where status in ('ACTIVE', 'TRIAL') and end_date <= ${at}
       order by end_date limit 500 for update skip locked)
    update subscription set status = 'EXPIRED' from over where over.id = subscription.id
    returning over.id, over.status`.execute(tx)
  return rows
}

export type DueReminder = {
  id: number
  days: number
  name: string
  email: string
  plan: string | null
  endDate: string
}

/**
 * Notes which reminders are due and not sent, some hundreds at a time: 7, 3 and 0 calendar days of Kinshasa before the
 * last day that the last of what a user has covers. Of several that were missed, the nearest alone is still worth sending.
 */
export async function noteDueReminders(tx: Db, at: Date): Promise<DueReminder[]> {
  const { rows } = await sql<DueReminder>`
    with ending as (
      select s.id, s.end_date, u.name, u.email, plan.name as plan, step.days
        from subscription s join app_user u on u.id = s.user_id and u.status = 'ACTIVE' left join plan on plan.id = s.plan_id
        cross join lateral (
          select min(days) as days from (values (7), (3), (0)) steps (days)
           where days >= ((s.end_date - interval '1 millisecond') at time zone 'Africa/Kinshasa')::date
                         - (${at}::timestamptz at time zone 'Africa/Kinshasa')::date) step
       where s.status in ('ACTIVE', 'TRIAL') and s.end_date > ${at} and s.end_date < ${at}::timestamptz + interval '9 days'
         and s.start_date <= ${at} and step.days is not null
         and not exists (select from subscription_reminder where subscription_id = s.id and days = step.days)
         and not exists (select from notification_choice
                          where user_id = s.user_id and kind = 'subscription-reminders' and not is_wanted)
         and not exists (select from subscription later
                          where later.user_id = s.user_id and later.status in ('ACTIVE', 'TRIAL')
                            and (later.end_date, later.id) > (s.end_date, s.id))
       order by s.end_date limit 200),
    noted as (
      insert into subscription_reminder (subscription_id, days, sent_at)
      select id, days, ${at} from ending
      on conflict do nothing returning subscription_id, days)
    select ending.id, noted.days, name, email, plan, end_date as "endDate"
      from noted join ending on ending.id = noted.subscription_id`.execute(tx)
  return rows
}

function select(db: Db, { search, status, userId, planId }: SelectionOf<typeof subscriptions.list>) {
  let selection = db
    .selectFrom('subscription')
    .innerJoin('app_user as u', 'u.id', 'subscription.user_id')
    .leftJoin('plan', 'plan.id', 'subscription.plan_id')
  if (search)
    selection = selection.where(
      contains(sql`fold(u.name || ' ' || u.email || ' ' || coalesce(u.location, ''))`, search),
    )
  if (status) selection = selection.where('subscription.status', '=', status)
  if (userId !== undefined)
    selection = selection.where('subscription.user_id', '=', sql<number>`${userId}::bigint`)
  if (planId !== undefined)
    selection = selection.where('subscription.plan_id', '=', sql<number>`${planId}::bigint`)
  return selection
}
