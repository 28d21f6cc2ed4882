import { sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

type CardPayment = {
  id: number
  planId: number | null
  /** Paid by someone else, without an account. */
  isByLink: boolean
  /** Null without a link, and when the link was deleted. */
  linkToken: string | null
}

/** Returns the card payment of a return address, and its plan; undefined when there is none. */
export async function findCardPayment(db: Db, depositId: string): Promise<CardPayment | undefined> {
  const { rows } = await sql<CardPayment>`
    select payment.id, payment.plan_id as "planId", is_by_link as "isByLink", payment_link.token as "linkToken"
      from deposit join payment on payment.id = payment_id left join payment_link on payment_link.id = link_id
     where deposit.id = ${depositId} and phone is null`.execute(db)
  return rows[0]
}
