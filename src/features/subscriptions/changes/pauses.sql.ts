import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

/** Pauses the current and future periods of a user. @returns their number */
export async function pausePeriods(tx: Db, userId: number, reason: string, at: Date): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update subscription set status = 'PAUSED', paused_at = ${at}, pause_reason = ${reason}
     where user_id = ${userId} and status = 'ACTIVE' and end_date > ${at}`.execute(tx)
  return Number(numAffectedRows)
}

/**
 * Resumes the paused periods of a user with the remaining time: from now, or from the end of what was paid in the
 * meantime. Periods of a later pause follow those of an earlier one. What a refund would restore moves with what
 * replaced it. @returns their number
 */
export async function resumePeriods(tx: Db, userId: number, at: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with recursive free as (
      select greatest(${at}::timestamptz(3), max(end_date)) as since
        from subscription where user_id = ${userId} and status = 'ACTIVE' and end_date > ${at}),
    pause as (
      select paused_at, max(end_date) - paused_at as remaining
        from subscription where user_id = ${userId} and status = 'PAUSED' group by paused_at),
    resumed as (
      select paused_at, since + coalesce(sum(remaining) over earlier, interval '0') - paused_at as shift
        from pause cross join free
      window earlier as (order by paused_at rows between unbounded preceding and 1 preceding)),
    moved as (
      update subscription
         set status = 'ACTIVE', start_date = start_date + shift, end_date = end_date + shift,
             paused_at = null, pause_reason = null
        from resumed
       where user_id = ${userId} and status = 'PAUSED' and subscription.paused_at = resumed.paused_at
      returning payment_id, resumed.paused_at, shift),
    replaced as (
      select subscription.id, subscription.payment_id, moved.paused_at, shift
        from moved join subscription on replaced_by = moved.payment_id and replaced_end > moved.paused_at
       union all
      select subscription.id, subscription.payment_id, replaced.paused_at, shift
        from replaced join subscription on replaced_by = replaced.payment_id and replaced_end > replaced.paused_at),
    kept as (
      update subscription set replaced_end = replaced_end + shift from replaced where subscription.id = replaced.id)
    select count(*)::integer as count from moved`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Returns whether a pending payment would end the current period of a user at once. */
export async function isBeingReplaced(tx: Db, userId: number): Promise<boolean> {
  const { rows } = await sql<{ isOpen: boolean }>`
    select exists (select from payment where user_id = ${userId} and replaces_id is not null and status = 'PENDING') as "isOpen"`.execute(
    tx,
  )
  return rows[0]?.isOpen ?? false
}
