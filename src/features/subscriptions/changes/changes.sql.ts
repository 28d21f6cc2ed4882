import { sql } from 'kysely'
import type { CancelReason } from '#features/subscriptions/changes/changes.rules.ts'
import type { Db } from '#server/db/pool.ts'

const isHeld = (userId: number, at: Date) =>
  sql<boolean>`user_id = ${userId} and (status = 'PAUSED' or status in ('ACTIVE', 'TRIAL') and end_date > ${at})`

/**
 * Returns the last current or future period of a user; undefined without one. The caller holds the lock of the user.
 */
export async function findLastHeld(tx: Db, userId: number, at: Date): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from subscription where ${isHeld(userId, at)} order by end_date desc, id desc limit 1`.execute(
    tx,
  )
  return rows[0]?.id
}

/** Marks all current and future periods of a user as cancelled, that is, not to be renewed; null reverts this. */
export async function writeCancellation(
  tx: Db,
  userId: number,
  given: { reason: CancelReason; note: string | null } | null,
  at: Date,
): Promise<void> {
  await sql`
    update subscription
       set canceled_at = ${given && at}::timestamptz, cancel_reason = ${given?.reason ?? null}::text,
           cancel_note = ${given?.note ?? null}::text
     where ${isHeld(userId, at)}`.execute(tx)
}

/** Sets the plan that follows all current and future periods of a user; null for the same plan. */
export async function writeNextPlan(tx: Db, userId: number, planId: number | null, at: Date): Promise<void> {
  await sql`update subscription set next_plan_id = ${planId} where ${isHeld(userId, at)}`.execute(tx)
}
