import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

/** Returns the card payment of a return address, and its plan; undefined when there is none. */
export async function findCardPayment(
  db: Db,
  depositId: string,
): Promise<{ id: number; planId: number | null } | undefined> {
  const { rows } = await sql<{ id: number; planId: number | null }>`
    select payment.id, plan_id as "planId" from deposit join payment on payment.id = payment_id
     where deposit.id = ${depositId} and phone is null`.execute(db)
  return rows[0]
}
