import { z } from 'zod'
import { defineEndpoint } from '#shared/contract.ts'
import {
  amount,
  currency,
  dayInput,
  idParams,
  instant,
  optionalText,
  reference,
  text,
} from '#shared/fields.ts'
import type { Noun } from '#shared/resource.ts'

export const strayNoun: Noun = {
  one: 'Encaissement sans paiement',
  many: 'encaissements sans paiement',
  gender: 'm',
}

/** The providers of mobile money and cards whose statements are read. */
const statementProvider = z.enum(['pawapay', 'flexpay'], 'pawapay ou flexpay est attendu')

export const stray = z
  .object({
    id: z.int(),
    provider: statementProvider,
    /** Key of the row of the provider's statement. */
    reference: z.string(),
    amount: z.number(),
    currency,
    receivedOn: z.string(),
    state: z.enum(['attached', 'to_refund', 'refunded']),
    paymentId: z
      .int()
      .nullable()
      .meta({
        description: 'Paiement que cet argent paie, null de ce qui se rembourse.',
        examples: [null],
      }),
    note: z
      .string()
      .nullable()
      .meta({ description: 'Ce que l’équipe en a noté.', examples: ['Client inconnu'] }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'StrayReceipt' })
export type Stray = z.infer<typeof stray>

/** Maximum number of listed receipts that wait for their refund. */
export const mostStrays = 500

/** Money that a provider received without a payment of ours, and the decision about it. */
export const strays = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/payments/strays',
    right: 'payments.manage',
    summary: 'Encaissements à rembourser',
    description: `Ceux que l’opérateur a reçus sans paiement d’ici et qui restent à rembourser\u00a0: les ${mostStrays} plus anciens.`,
    response: z.object({ data: z.array(stray), total: z.int() }),
  }),
  settle: defineEndpoint({
    method: 'POST',
    path: '/api/payments/strays',
    right: 'payments.manage',
    summary: 'Décider d’un encaissement sans paiement',
    description:
      'Rattaché à un paiement en attente ou échoué du même montant et du même numéro, il le paie et ouvre son abonnement\u202f; sans paymentId, il est noté à rembourser. Chaque ligne d’un relevé se décide une fois\u00a0: la même décision répétée ne change rien, une autre est refusée.',
    body: z
      .object({
        provider: statementProvider,
        reference: text(200),
        amount,
        currency,
        receivedOn: dayInput,
        /** The payment that the money pays; absent to refund it. */
        paymentId: reference('Choisissez un paiement').nullish(),
        /** The payer's number; required with paymentId. */
        phone: optionalText(40),
        /** What is known about the money; required without paymentId. */
        note: optionalText(500),
      })
      .meta({ id: 'StrayReceiptBody' }),
    status: 201,
    response: stray.extend({ message: z.string() }),
  }),
  refund: defineEndpoint({
    method: 'POST',
    path: '/api/payments/strays/{id}/refund',
    right: 'payments.manage',
    summary: 'Noter qu’un encaissement sans paiement est remboursé',
    description: 'Une fois l’argent rendu chez l’opérateur. Le noter deux fois est refusé.',
    params: idParams,
    body: z
      .object({
        /** How the money was refunded. */
        note: text(500),
      })
      .meta({ id: 'StrayRefundBody' }),
    response: stray.extend({ message: z.string() }),
  }),
}
