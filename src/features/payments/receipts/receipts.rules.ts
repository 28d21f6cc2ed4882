import { type Operator, operatorNames } from '#features/payments/mobile-money.rules.ts'
import { type PaymentMethod, paymentMethods } from '#features/payments/payments.contract.ts'
import type { MailContent } from '#shared/mail.ts'
import { moneyText } from '#shared/money.ts'

export type Receipt = {
  paymentId: number
  /** Number of its invoice. */
  number: string
  name: string
  amount: string
  currency: string
  plan: string | null
  method: PaymentMethod
  operator: Operator | null
  /** Null where another payer used a link. */
  phone: string | null
  /** Null without a period. */
  startDate: string | null
  endDate: string | null
}

/** Returns the receipt mail of a confirmed payment: amount, plan, period, and link to its invoice. */
export function receiptMail(receipt: Receipt, paidAt: Date): MailContent {
  const { paymentId, number, name, amount, currency, plan, method, operator, phone } = receipt
  const { startDate, endDate } = receipt
  const sum = moneyText(amount, currency)
  const from = phone === null ? '' : `, du +${phone}`
  const by = operator ? operatorNames[operator] + from : paymentMethods[method].toLowerCase()
  const what = plan ? `Votre abonnement «\u202f${plan}\u202f»` : 'Votre abonnement'
  return {
    subject: `Reçu du paiement ${paymentId}\u00a0: ${sum}`,
    paragraphs: [
      `Bonjour ${name},`,
      `Nous avons reçu ${sum} par ${by}, le ${inFull.format(paidAt)}.`,
      ...(startDate && endDate
        ? [`${what} va du ${inFull.format(new Date(startDate))} au ${inFull.format(new Date(endDate))}.`]
        : []),
    ],
    notes: [`Paiement ${paymentId}, facture ${number}. Elle est dans Ntalo, à la page Factures, en PDF.`],
  }
}

const inFull = new Intl.DateTimeFormat('fr-FR', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'Africa/Kinshasa',
})
