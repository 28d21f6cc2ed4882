import { z } from 'zod'
import { payment } from '#features/payments/payments.contract.ts'
import { transfer } from '#features/payments/transfers/transfers.contract.ts'
import { stray } from '#features/reconciliation/strays/strays.contract.ts'
import { acknowledgement, defineEndpoint } from '#shared/contract.ts'
import { currency, idParams, instant, optionalText } from '#shared/fields.ts'

/** Whose statements are read. */
export const statementSource = z.enum(['pawapay', 'flexpay', 'bank'], 'pawapay, flexpay ou bank est attendu')
export type StatementSource = z.infer<typeof statementSource>

/** How many rows of a statement are read, and how many differences are shown. */
export const mostRows = 20_000
export const mostDifferences = 500

/** How ours and a statement differ, or why a payment is in doubt. */
export const differenceKind = z.enum([
  'silent',
  'contradictory',
  'paid there',
  'failed there',
  'other amount',
  'failed here',
  'absent there',
  'unpaid here',
  'unknown here',
  'to refund',
  'twice there',
  'to record',
  'paid already',
  'without reference',
  'absent at the bank',
])
export type DifferenceKind = z.infer<typeof differenceKind>

/** The one right thing to do about a difference. */
export const differenceAction = z.enum([
  'ask',
  'decide',
  'record',
  'attach',
  // Of money without a payment: attach it to a candidate, note it to refund, note that it is refunded.
  'adopt',
  'return',
  'returned',
  'examine',
])
export type DifferenceAction = z.infer<typeof differenceAction>

const comparedPayment = payment
  .pick({ id: true, amount: true, currency: true, status: true, transactionRef: true })
  .extend({ client: z.string(), createdAt: instant })

export const difference = z
  .object({
    kind: differenceKind,
    why: z.string(),
    action: differenceAction,
    /** What the statement says; null of what it does not have. */
    line: z
      .object({
        /** Of the file, the titles being the first. */
        number: z.int(),
        day: z.string(),
        /** A decimal text. */
        amount: z.string(),
        currency: currency.nullable(),
        reference: z.string(),
        /** What a decision about it is stored under. */
        key: z.string(),
        /** Of the payer, digits with those of the country. */
        phone: z.string().nullable(),
        label: z.string(),
      })
      .nullable(),
    /** Our payment that it is about. */
    payment: comparedPayment.nullable(),
    /** Our unpaid payments of the same number and amount, the nearest in time first. */
    candidates: z.array(comparedPayment),
    /** What was decided about money without a payment. */
    stray: stray.nullable(),
    /** The expected transfer that it is about. */
    transfer: transfer.nullable(),
  })
  .meta({ id: 'Difference' })
export type Difference = z.infer<typeof difference>

export const reconciliation = {
  doubts: defineEndpoint({
    method: 'GET',
    path: '/api/payments/reconciliation',
    right: 'payments.manage',
    summary: 'Paiements dont l’issue est en doute',
    description:
      'Ceux que l’opérateur n’a pas conclus en quinze minutes, et ceux qu’il contredit. Les 500 plus anciens.',
    response: z.object({ differences: z.array(difference), total: z.int() }),
  }),
  compare: defineEndpoint({
    method: 'POST',
    path: '/api/payments/reconciliation',
    right: 'payments.manage',
    summary: 'Comparer nos écritures à un relevé',
    description: `Un CSV ou un classeur XLSX de 5 Mo et 20 000 lignes au plus. Rien n’est enregistré. Les ${mostDifferences} premières différences sont données.`,
    query: z.object({ source: statementSource }),
    body: z.object({ file: z.file('Choisissez le fichier du relevé') }),
    file: 'file',
    response: z
      .object({
        differences: z.array(difference),
        total: z.int(),
        read: z.int(),
        matched: z.int(),
        /** What leaves the account, or has not ended, and is compared with nothing. */
        ignored: z.int(),
        /** The first and the last day of the statement; null when no row could be read. */
        from: z.string().nullable(),
        to: z.string().nullable(),
        /** The first 50 rows that could not be read. */
        faults: z.array(z.object({ number: z.int(), reason: z.string() })),
        faultCount: z.int(),
      })
      .meta({ id: 'Reconciliation' }),
  }),
  ask: defineEndpoint({
    method: 'POST',
    path: '/api/payments/{id}/ask',
    right: 'payments.manage',
    summary: 'Interroger maintenant l’opérateur sur un paiement',
    description:
      'Sa réponse arrive en quelques secondes et change le paiement comme d’habitude. Demander deux fois ne paie qu’une fois.',
    params: idParams,
    body: z
      .object({
        /** What the provider calls it, where its statement says so. */
        reference: optionalText(200),
      })
      .meta({ id: 'AskProviderBody' }),
    response: acknowledgement,
  }),
}
