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
 * meantime. @returns their number
 */
export async function resumePeriods(tx: Db, userId: number, at: Date): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update subscription
       set status = 'ACTIVE', start_date = start_date + (goes_on - paused_at), end_date = end_date + (goes_on - paused_at),
           paused_at = null, pause_reason = null
      from (select greatest(${at}::timestamptz(3), max(end_date)) as goes_on
              from subscription where user_id = ${userId} and status = 'ACTIVE' and end_date > ${at}) free
     where user_id = ${userId} and status = 'PAUSED'`.execute(tx)
  return Number(numAffectedRows)
}

/** Returns whether a pending payment would end the current period of a user at once. */
export async function isBeingReplaced(tx: Db, userId: number): Promise<boolean> {
  const { rows } = await sql<{ isOpen: boolean }>`
    select exists (select from payment where user_id = ${userId} and replaces_id is not null and status = 'PENDING') as "isOpen"`.execute(
    tx,
  )
  return rows[0]?.isOpen ?? false
}
