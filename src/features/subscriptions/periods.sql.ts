import { sql } from 'kysely'
import { lockSubscriber } from '#features/subscriptions/access.sql.ts'
import { periodEnd } from '#features/subscriptions/subscriptions.rules.ts'
import { isoInstant } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'

type Paid = {
  userId: number
  paymentId: number
  /** As it was when the payment was made; that of the plan where it is null. */
  billingPeriod: 'MONTHLY' | 'YEARLY' | null
}

/**
 * Opens the subscription that a payment pays for: from the end of what its user has, or from now, for one period of the
 * plan. It is opened once, however often it is asked for, and one after the other when a user has paid twice.
 *
 * @returns its id
 */
export async function activateSubscription(
  tx: Db,
  { userId, planId, paymentId, billingPeriod }: Paid & { planId: number },
  at: Date,
): Promise<number> {
  await lockSubscriber(tx, userId)
  const { start, end } = await nextPeriod(tx, { userId, planId, billingPeriod }, at)
  await sql`
    insert into subscription (user_id, plan_id, payment_id, status, start_date, end_date)
    values (${userId}, ${planId}, ${paymentId}, 'ACTIVE', ${start}, ${end})
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
  { subscriptionId, userId, paymentId, billingPeriod }: Paid & { subscriptionId: number },
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
  if (held.isPaid)
    return activateSubscription(tx, { userId, planId: held.planId, paymentId, billingPeriod }, at)
  if (held.isRunning) {
    await sql`update subscription set payment_id = ${paymentId} where id = ${subscriptionId}`.execute(tx)
    return subscriptionId
  }
  const { start, end } = await nextPeriod(tx, { userId, planId: held.planId, billingPeriod }, at)
  await sql`
    update subscription
       set status = 'ACTIVE', payment_id = ${paymentId}, updated_at = now(),
           start_date = case when status = 'TRIAL' and end_date > ${at} then start_date else ${start} end,
           end_date = ${end}
     where id = ${subscriptionId}`.execute(tx)
  return subscriptionId
}

/** One period of a plan, from the end of what a user has, or from now. */
async function nextPeriod(
  tx: Db,
  { userId, planId, billingPeriod }: { userId: number; planId: number; billingPeriod: Paid['billingPeriod'] },
  at: Date,
): Promise<{ start: Date; end: Date }> {
  const { rows } = await sql<{ start: string; billingPeriod: 'MONTHLY' | 'YEARLY' }>`
    select coalesce(${billingPeriod}, billing_period) as "billingPeriod", greatest(${at}::timestamptz(3), (
             select max(end_date) from subscription
              where user_id = ${userId} and status in ('ACTIVE', 'TRIAL') and end_date > ${at})) as start
      from plan where id = ${planId}`.execute(tx)
  const [found] = rows
  if (!found) throw new Error(`no plan ${planId}`)
  const start = new Date(found.start)
  return { start, end: periodEnd(start, found.billingPeriod) }
}

/**
 * What a refunded payment had opened is over. The periods that were to follow it move up, each for as long as it was paid for,
 * so that nobody loses a month between two that he has paid.
 */
export async function cancelSubscriptionPaidBy(tx: Db, paymentId: number, at: Date): Promise<void> {
  const { rows } = await sql<{ userId: number; startDate: string; endDate: string }>`
    update subscription set status = 'CANCELED' where payment_id = ${paymentId} and status = 'ACTIVE'
    returning user_id as "userId", ${isoInstant('start_date')} as "startDate", ${isoInstant('end_date')} as "endDate"`.execute(
    tx,
  )
  const [cancelled] = rows
  // One that is over leaves no gap.
  if (!cancelled || Date.parse(cancelled.endDate) <= at.getTime()) return
  await lockSubscriber(tx, cancelled.userId)
  const { rows: later } = await sql<Waiting>`
    select subscription.id, ${isoInstant('start_date')} as "startDate", ${isoInstant('end_date')} as "endDate",
           coalesce(payment.billing_period, plan.billing_period) as "billingPeriod"
      from subscription join payment on payment.id = payment_id left join plan on plan.id = subscription.plan_id
     where subscription.user_id = ${cancelled.userId} and subscription.status = 'ACTIVE'
       and start_date >= ${cancelled.endDate}
     order by start_date, subscription.id`.execute(tx)
  let gapFrom = cancelled.endDate
  let start = new Date(Math.max(at.getTime(), Date.parse(cancelled.startDate)))
  for (const period of later) {
    // One that never followed directly begins when it was meant to.
    if (period.startDate !== gapFrom || period.billingPeriod === null) return
    gapFrom = period.endDate
    const end = periodEnd(start, period.billingPeriod)
    await sql`
      update subscription set start_date = ${start}, end_date = ${end}, updated_at = now() where id = ${period.id}`.execute(
      tx,
    )
    start = end
  }
}

type Waiting = { id: number; startDate: string; endDate: string; billingPeriod: 'MONTHLY' | 'YEARLY' | null }
