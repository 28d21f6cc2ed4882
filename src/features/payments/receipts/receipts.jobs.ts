import { issueDue } from '#features/invoices/invoices.sql.ts'
import { receiptMail } from '#features/payments/receipts/receipts.rules.ts'
import { getReceipt } from '#features/payments/receipts/receipts.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { queueMail } from '#server/mail/mail.ts'

/** Issues the invoice of a payment paid within `tx`, and queues its receipt. */
export async function sendReceipt(tx: Db, paymentId: number, at: Date): Promise<void> {
  await issueDue(tx)
  const { email, ...receipt } = await getReceipt(tx, paymentId)
  await queueMail(tx, { to: email, content: receiptMail(receipt, at) })
}
