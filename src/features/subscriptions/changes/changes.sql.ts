import { sql } from 'kysely'
import type { CancelReason } from '#features/subscriptions/changes/changes.rules.ts'
import type { Db } from '#server/db/pool.ts'

const isHeld = (userId: number, at: Date) =>
  sql<boolean>`user_id = ${userId} and (status = 'PAUSED' or status in ('ACTIVE', 'TRIAL') and end_date > ${at})`

/** The last of what a user has, now or for later; undefined when he has nothing. The caller holds the user. */
export async function findLastHeld(tx: Db, userId: number, at: Date): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from subscription where ${isHeld(userId, at)} order by end_date desc, id desc limit 1`.execute(
    tx,
  )
  return rows[0]?.id
}

/** Writes on all that a user has that it is not to be renewed; null takes that back. */
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

/** Writes on all that a user has which plan is to follow; null is the one that he has. */
export async function writeNextPlan(tx: Db, userId: number, planId: number | null, at: Date): Promise<void> {
  await sql`update subscription set next_plan_id = ${planId} where ${isHeld(userId, at)}`.execute(tx)
}
