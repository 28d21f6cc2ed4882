import { sql } from 'kysely'
import { activateSubscription, paySubscription } from '#features/subscriptions/periods.sql.ts'
import type { Db } from '#server/db/pool.ts'

export type Settled = {
  paymentId: number
  userId: number
  planId: number | null
  subscriptionId: number | null
}

/** A payment that the transaction holds, as far as settling it goes. */
export async function getSettled(tx: Db, paymentId: number): Promise<Settled> {
  const { rows } = await sql<Settled>`
    select id as "paymentId", user_id as "userId", plan_id as "planId", subscription_id as "subscriptionId"
      from payment where id = ${paymentId}`.execute(tx)
  return rows[0]!
}

/**
 * Opens what a payment that is now paid pays for, in the same transaction: a new subscription for one made by a subscriber
 * himself, the one that it was recorded for when the staff recorded it (`paySubscription`). The caller holds the payment's
 * row.
 *
 * @returns the subscription that it belongs to
 */
export async function openPaid(tx: Db, payment: Settled, at: Date): Promise<number | null> {
  const { paymentId, userId, planId, subscriptionId } = payment
  if (subscriptionId === null && planId === null) return null
  const opened =
    subscriptionId === null
      ? await activateSubscription(tx, { userId, planId: planId!, paymentId }, at)
      : await paySubscription(tx, { subscriptionId, userId, paymentId }, at)
  await tx.updateTable('payment').set({ subscription_id: opened }).where('id', '=', paymentId).execute()
  return opened
}
