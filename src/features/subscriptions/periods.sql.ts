import { sql } from 'kysely'
import { lockSubscriber } from '#features/subscriptions/access.sql.ts'
import type { Db } from '#server/db/pool.ts'

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

/** What a refunded payment had opened is over. */
export async function cancelSubscriptionPaidBy(tx: Db, paymentId: number): Promise<void> {
  await tx
    .updateTable('subscription')
    .set({ status: 'CANCELED' })
    .where('payment_id', '=', paymentId)
    .where('status', '=', 'ACTIVE')
    .execute()
}
