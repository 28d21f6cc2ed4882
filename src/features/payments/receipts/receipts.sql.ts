import { sql } from 'kysely'
import type { Receipt } from '#features/payments/receipts/receipts.rules.ts'
import { isoInstant } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'

/** Returns the data of a receipt of an invoiced payment, and the address to send it to. */
export async function getReceipt(tx: Db, paymentId: number): Promise<Receipt & { email: string }> {
  const { rows } = await sql<Receipt & { email: string }>`
    select payment.id as "paymentId", i.number, i.amount::text as amount, i.currency, i.payment_method as method,
           deposit.operator, case when not is_by_link then deposit.phone end as phone, u.name, i.buyer ->> 'email' as email, i.plan,
           ${isoInstant('i.period_start')} as "startDate", ${isoInstant('i.period_end')} as "endDate"
      from invoice i join payment on payment.id = i.payment_id join app_user u on u.id = payment.user_id
           left join deposit on deposit.payment_id = payment.id
     where i.payment_id = ${paymentId} and i.kind = 'invoice'`.execute(tx)
  return rows[0]!
}
