import { z } from 'zod'
import { payment } from '#features/payments/payments.contract.ts'
import { transfer } from '#features/payments/transfers/transfers.contract.ts'
import { stray } from '#features/reconciliation/strays/strays.contract.ts'
import { acknowledgement, defineEndpoint } from '#shared/contract.ts'
import { currency, idParams, instant, optionalText } from '#shared/fields.ts'

/** Sources of statements. */
export const statementSource = z.enum(['pawapay', 'flexpay', 'bank'], 'pawapay, flexpay ou bank est attendu')
export type StatementSource = z.infer<typeof statementSource>

/** Maximum number of statement rows read, and of differences shown. */
export const mostRows = 20_000
export const mostDifferences = 500

/** Kinds of differences between our data and a statement, and of doubts about a payment. */
const differenceKind = z.enum([
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

/** The action that resolves a difference. */
const differenceAction = z.enum([
  'ask',
  'decide',
  'record',
  'attach',
  // For money without a payment: attach it to a candidate, mark it to refund, mark it as refunded.
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
    /** The line of the statement; null where it has none. */
    line: z
      .object({
        /** Row number in the file; the titles are row 1. */
        number: z.int(),
        day: z.string(),
        /** A decimal text. */
        amount: z.string(),
        currency: currency.nullable(),
        reference: z.string(),
        /** Key under which a decision about this line is stored. */
        key: z.string(),
        /** The payer's number: digits, with the country code. */
        phone: z.string().nullable(),
        label: z.string(),
      })
      .nullable(),
    /** Our payment concerned. */
    payment: comparedPayment.nullable(),
    /** Our unpaid payments with the same phone number and amount, the nearest in time first. */
    candidates: z.array(comparedPayment),
    /** Decision about money without a payment. */
    stray: stray.nullable(),
    /** The expected transfer concerned. */
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
        /** Number of lines not compared: outgoing, or not final. */
        ignored: z.int(),
        /** First and last day of the statement; null when no row could be read. */
        from: z.string().nullable(),
        to: z.string().nullable(),
        /** The first 50 unreadable rows. */
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
        /** The provider's id, where its statement gives it. */
        reference: optionalText(200),
      })
      .meta({ id: 'AskProviderBody' }),
    response: acknowledgement,
  }),
}
