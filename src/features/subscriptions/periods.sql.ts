import { sql } from 'kysely'
import { lockSubscriber } from '#features/subscriptions/access.sql.ts'
import { periodEnd } from '#features/subscriptions/subscriptions.rules.ts'
import { isoInstant } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'

type Paid = {
  userId: number
  paymentId: number
  /** Billing period at the time of payment; null for that of the plan. */
  billingPeriod: 'MONTHLY' | 'YEARLY' | null
}

/**
 * Opens the subscription of a payment: one period of the plan, from the end of the user's last period, or from now.
 * Idempotent; two payments open one period after the other.
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
 * Applies a payment recorded for a subscription, idempotently. If no payment has paid its period, this one does: a
 * current ACTIVE period stays unchanged; another one (TRIAL, EXPIRED, CANCELED, or over) becomes ACTIVE for one period
 * of its plan, from the end of the user's last period, or from now. If another payment has paid it, a new period
 * follows, as when the user pays again. A trial without a plan has no period: nothing is opened.
 * @returns the id of the payment's subscription
 */
export async function paySubscription(
  tx: Db,
  { subscriptionId, userId, paymentId, billingPeriod }: Paid & { subscriptionId: number },
  at: Date,
): Promise<number> {
  await lockSubscriber(tx, userId)
  const { rows } = await sql<{ planId: number | null; isPaid: boolean; isRunning: boolean }>`
    select plan_id as "planId", status = 'PAUSED' or status = 'ACTIVE' and end_date > ${at} as "isRunning",
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

/** Returns one period of a plan, from the end of the user's last period, or from now. */
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
 * Opens at once the subscription that a payment pays for together with the unused days of the period it replaces, which
 * ends now. Periods that were to follow the replaced one follow the new one. A replaced period that has ended in the
 * meantime is still credited: its days were counted when the payment was requested.
 * @returns its id; null when those days are gone: another payment used them, or they were refunded
 */
export async function replaceSubscription(
  tx: Db,
  given: Paid & { planId: number; replacesId: number },
  at: Date,
): Promise<number | null> {
  const { userId, planId, paymentId, billingPeriod, replacesId } = given
  await lockSubscriber(tx, userId)
  const { rows } = await sql<{ end: string; period: 'MONTHLY' | 'YEARLY' }>`
    update subscription
       set replaced_by = ${paymentId}, replaced_end = end_date,
           end_date = case when end_date > ${at} then greatest(${at}::timestamptz(3), start_date + interval '1 millisecond')
                           else end_date end
      from plan
     where subscription.id = ${replacesId} and status = 'ACTIVE' and replaced_by is null and plan.id = ${planId}
    returning ${isoInstant('replaced_end')} as "end", coalesce(${billingPeriod}, plan.billing_period) as period`.execute(
    tx,
  )
  const [replaced] = rows
  if (!replaced) return null
  const isOver = Date.parse(replaced.end) <= at.getTime()
  if (isOver) return activateSubscription(tx, { userId, planId, paymentId, billingPeriod }, at)
  const end = periodEnd(at, replaced.period)
  const { id } = await tx
    .insertInto('subscription')
    .values({
      user_id: userId,
      plan_id: planId,
      payment_id: paymentId,
      status: 'ACTIVE',
      start_date: at,
      end_date: end,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await moveFollowing(tx, { userId, status: 'ACTIVE', after: replaced.end, to: end })
  return id
}

/**
 * Cancels the subscription of a refunded payment, and restores the period that it had replaced. Later periods move up
 * with their full length, so that the user loses no paid month. If the team had ended the subscription before, later
 * periods move only to make room for the restored one.
 */
export async function cancelSubscriptionPaidBy(
  tx: Db,
  { id, userId }: { id: number; userId: number },
  at: Date,
): Promise<void> {
  await lockSubscriber(tx, userId)
  const { rows } = await sql<Ended>`
    update subscription set status = case when before.status in ('ACTIVE', 'PAUSED') then 'CANCELED' else before.status end,
           paused_at = null
      from subscription before
     where subscription.payment_id = ${id} and before.id = subscription.id
    returning before.status, before.paused_at as "pausedAt",
              subscription.start_date as "startDate", ${isoInstant('subscription.end_date')} as "endDate"`.execute(
    tx,
  )
  const [ended] = rows
  const pausedAt = ended?.pausedAt ?? null
  const { rows: restored } = await sql<{ end: string }>`
    update subscription set end_date = replaced_end, replaced_end = null, replaced_by = null,
           status = case when replaced_end > ${pausedAt}::timestamptz then 'PAUSED' else status end,
           paused_at = case when replaced_end > ${pausedAt}::timestamptz then ${pausedAt}::timestamptz end
     where replaced_by = ${id} returning ${isoInstant('end_date')} as "end"`.execute(tx)
  if (!ended) return
  // For a paused period, time stands still.
  const now = pausedAt ? Date.parse(pausedAt) : at.getTime()
  // A period that is over leaves no gap.
  if (Date.parse(ended.endDate) <= now) return
  const wasHeld = ended.status === 'ACTIVE' || ended.status === 'PAUSED'
  const from = wasHeld ? Math.max(now, Date.parse(ended.startDate)) : Date.parse(ended.endDate)
  const to = new Date(Math.max(from, ...restored.map(({ end }) => Date.parse(end))))
  await moveFollowing(tx, { userId, status: pausedAt ? 'PAUSED' : 'ACTIVE', after: ended.endDate, to })
}

type Ended = { status: string; pausedAt: string | null; startDate: string; endDate: string }

type Following = { userId: number; status: 'ACTIVE' | 'PAUSED'; after: string; to: Date }

/** Moves the consecutive periods that begin `after` to begin at `to`, each with its full length. */
async function moveFollowing(tx: Db, { userId, status, after, to }: Following): Promise<void> {
  const { rows: later } = await sql<Waiting>`
    select subscription.id, ${isoInstant('start_date')} as "startDate", ${isoInstant('end_date')} as "endDate",
           coalesce(payment.billing_period, plan.billing_period) as "billingPeriod"
      from subscription join payment on payment.id = payment_id left join plan on plan.id = subscription.plan_id
     where subscription.user_id = ${userId} and subscription.status = ${status} and start_date >= ${after}
     order by start_date, subscription.id`.execute(tx)
  let [gapFrom, start] = [after, to]
  for (const period of later) {
    // A period that did not follow directly keeps its start.
    if (period.startDate !== gapFrom || period.billingPeriod === null) return
    gapFrom = period.endDate
    const { billingPeriod, startDate, endDate } = period
    const length = Date.parse(endDate) - Date.parse(startDate)
    const isWhole = periodEnd(new Date(startDate), billingPeriod).getTime() === Date.parse(endDate)
    // The team may have given it another end than that of its plan.
    const end = isWhole ? periodEnd(start, billingPeriod) : new Date(start.getTime() + length)
    await sql`
      update subscription set start_date = ${start}, end_date = ${end}, updated_at = now() where id = ${period.id}`.execute(
      tx,
    )
    start = end
  }
}

type Waiting = { id: number; startDate: string; endDate: string; billingPeriod: 'MONTHLY' | 'YEARLY' | null }
