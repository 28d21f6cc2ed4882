import { issueDue } from '#features/invoices/invoices.sql.ts'
import { receiptMail } from '#features/payments/receipts/receipts.rules.ts'
import { getReceipt } from '#features/payments/receipts/receipts.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { queueMail } from '#server/mail/mail.ts'

/** Has the receipt of a payment sent that the transaction has paid and opened: its invoice gets its number for it. */
export async function sendReceipt(tx: Db, paymentId: number, at: Date): Promise<void> {
  await issueDue(tx)
  const { email, ...receipt } = await getReceipt(tx, paymentId)
  await queueMail(tx, { to: email, content: receiptMail(receipt, at) })
}
