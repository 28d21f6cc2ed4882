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
  /** The period that it ends at once, whose unused days are credited; null of most. */
  replacesId: number | null
  /** What it pays for, as it was when the payment was made; of the plan where that was not written down. */
  billingPeriod: 'MONTHLY' | 'YEARLY' | null
  /** Its owner has closed his account. */
  isClosed: boolean
}

/** A payment that the transaction holds, as far as settling it goes. */
export async function getSettled(tx: Db, paymentId: number): Promise<Settled> {
  const { rows } = await sql<Settled>`
    select payment.id as "paymentId", user_id as "userId", plan_id as "planId", subscription_id as "subscriptionId", replaces_id as "replacesId",
           billing_period as "billingPeriod", ${isClosed(sql.ref('u.id'), sql.ref('u.email'))} as "isClosed"
      from payment join app_user u on u.id = user_id where payment.id = ${paymentId}`.execute(tx)
  return rows[0]!
}

/**
 * Opens what a payment that is now paid pays for, in the same transaction: a new subscription for one made by a subscriber
 * himself, the one that it was recorded for when the staff recorded it (`paySubscription`). The caller holds the payment's
 * row. Nothing is opened for an account that was closed, nor by days that are credited to another payment.
 *
 * @returns the subscription that it belongs to
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
