import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

/** Stops the paid time of a user, now and for later. @returns how many periods that were */
export async function pausePeriods(tx: Db, userId: number, reason: string, at: Date): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update subscription set status = 'PAUSED', paused_at = ${at}, pause_reason = ${reason}
     where user_id = ${userId} and status = 'ACTIVE' and end_date > ${at}`.execute(tx)
  return Number(numAffectedRows)
}

/**
 * Has the paused time of a user go on, for as long as was left of it: from now, or from the end of what he has paid
 * meanwhile. @returns how many periods that were
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

/** Whether a payment that would end the running period of a user at once waits for its payer. */
export async function isBeingReplaced(tx: Db, userId: number): Promise<boolean> {
  const { rows } = await sql<{ isOpen: boolean }>`
    select exists (select from payment where user_id = ${userId} and replaces_id is not null and status = 'PENDING') as "isOpen"`.execute(
    tx,
  )
  return rows[0]?.isOpen ?? false
}
