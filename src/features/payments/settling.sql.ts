import { sql } from 'kysely'
import {
  activateSubscription,
  paySubscription,
  replaceSubscription,
} from '#features/subscriptions/periods.sql.ts'
import { isClosed } from '#features/users/closing/closing.sql.ts'
import type { Db } from '#server/db/pool.ts'

export type Settled = {
  paymentId: number
  userId: number
  planId: number | null
  subscriptionId: number | null
  /** The period that it ends at once, whose unused days are credited; usually null. */
  replacesId: number | null
  /** Billing period at the time of payment; the plan's where it was not stored. */
  billingPeriod: 'MONTHLY' | 'YEARLY' | null
  /** Whether its user has closed the account. */
  isClosed: boolean
}

/** Returns the data of a payment that settling needs; the caller holds its lock. */
export async function getSettled(tx: Db, paymentId: number): Promise<Settled> {
  const { rows } = await sql<Settled>`
    select payment.id as "paymentId", user_id as "userId", plan_id as "planId", subscription_id as "subscriptionId", replaces_id as "replacesId",
           billing_period as "billingPeriod", ${isClosed(sql.ref('u.id'), sql.ref('u.email'))} as "isClosed"
      from payment join app_user u on u.id = user_id where payment.id = ${paymentId}`.execute(tx)
  return rows[0]!
}

/**
 * Opens the subscription of a payment that is now paid, in the same transaction: a new one if the subscriber made the
 * payment, otherwise the one that the team recorded it for (`paySubscription`). The caller holds the payment's lock.
 * Opens nothing for a closed account, or if the credited days were credited to another payment.
 * @returns the id of the subscription
 */
export async function openPaid(tx: Db, payment: Settled, at: Date): Promise<number | null> {
  const { paymentId, userId, planId, subscriptionId, billingPeriod, replacesId, isClosed } = payment
  if (isClosed || (subscriptionId === null && planId === null)) return null
  const isUpgrade = replacesId !== null && planId !== null && subscriptionId === null
  const opened = isUpgrade
    ? await replaceSubscription(tx, { userId, planId, paymentId, billingPeriod, replacesId }, at)
    : subscriptionId === null
      ? await activateSubscription(tx, { userId, planId: planId!, paymentId, billingPeriod }, at)
      : await paySubscription(tx, { subscriptionId, userId, paymentId, billingPeriod }, at)
  if (opened === null) return null
  await tx.updateTable('payment').set({ subscription_id: opened }).where('id', '=', paymentId).execute()
  return opened
}
