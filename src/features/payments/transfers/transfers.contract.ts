import { z } from 'zod'
import { acknowledgement, bytes, defineEndpoint, pagination } from '#shared/contract.ts'
import {
  amount,
  currency,
  dayInput,
  idParams,
  instant,
  listQuery,
  optionalQuery,
  reference,
  searchText,
  text,
} from '#shared/fields.ts'
import type { Noun } from '#shared/resource.ts'

export const transferNoun: Noun = { one: 'Virement', many: 'virements', gender: 'm' }

const transferState = z.enum(['waiting', 'partial', 'paid'], 'waiting, partial ou paid est attendu')

export const transfer = z
  .object({
    id: z.int(),
    /** Reference that the transfer must contain. */
    reference: z.string(),
    userId: z.int(),
    client: z.string(),
    plan: z.string(),
    amount: z.number(),
    currency,
    /** Sum of the recorded transfers. */
    received: z.number(),
    /** Amount still due; nothing is opened before it is zero. */
    remaining: z.number(),
    /** Amount received beyond the price, which belongs to the client. */
    credit: z.number(),
    state: transferState,
    /** Whether no transfer was ever recorded for it, not even a cancelled one. */
    isDeletable: z.boolean(),
    paymentId: z.int().nullable(),
    createdAt: instant,
  })
  .meta({ id: 'Transfer' })
export type Transfer = z.infer<typeof transfer>

const receipt = z
  .object({
    id: z.int(),
    /** Negative for a cancellation. */
    amount: z.number(),
    bankReference: z.string(),
    receivedOn: z.string(),
    isCancelled: z.boolean(),
    /** Reason of a cancellation; null for a received transfer. */
    reason: z.string().nullable(),
    createdAt: instant,
  })
  .meta({ id: 'TransferReceipt' })
export type TransferReceipt = z.infer<typeof receipt>

/** Maximum number of pro formas of an account for which nothing was recorded. */
export const mostWaiting = 5

export const transfers = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/transfers',
    right: 'session',
    summary: 'Virements attendus et reçus',
    description: 'Les siens\u202f; ceux de tous pour qui gère les paiements. Les plus récents d’abord.',
    query: listQuery([])
      .omit({ sort: true })
      .extend({ search: searchText, state: optionalQuery(transferState) }),
    response: z.object({ data: z.array(transfer), pagination }),
  }),
  create: defineEndpoint({
    method: 'POST',
    path: '/api/transfers',
    right: 'session',
    summary: 'Demander à payer un plan par virement',
    description: `Donne une facture pro forma et sa référence. Le prix est fixé alors. ${mostWaiting} demandes en attente au plus.`,
    body: z.object({ planId: reference('Choisissez un plan') }).meta({ id: 'TransferBody' }),
    status: 201,
    response: transfer.extend({ message: z.string() }),
  }),
  pdf: defineEndpoint({
    method: 'GET',
    path: '/api/transfers/{id}/pdf',
    right: 'session',
    summary: 'La facture pro forma d’un virement, en PDF',
    description: 'Elle dit le montant, le compte et la référence. Elle n’a pas de numéro de facture.',
    params: idParams,
    media: ['application/pdf'],
    response: bytes,
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: '/api/transfers/{id}',
    right: 'session',
    summary: 'Supprimer une facture pro forma qui n’est pas payée',
    description:
      'La sienne\u202f; celle de chacun pour qui gère les paiements. Refusé dès qu’un virement y est enregistré, même annulé.',
    params: idParams,
    response: acknowledgement,
  }),
  record: defineEndpoint({
    method: 'POST',
    path: '/api/transfers/{id}/receipts',
    right: 'payments.manage',
    summary: 'Enregistrer un virement reçu',
    description:
      'Une fois la somme entière, le paiement est fait et l’abonnement s’ouvre. Une partie n’ouvre rien\u202f; le surplus reste un crédit. La même référence bancaire n’est prise qu’une fois par facture pro forma, ni pour une autre avec le même jour et le même montant.',
    params: idParams,
    body: z
      .object({ amount, bankReference: text(100), receivedOn: dayInput })
      .meta({ id: 'TransferReceiptBody' }),
    status: 201,
    response: transfer.extend({ message: z.string() }),
  }),
  receipts: defineEndpoint({
    method: 'GET',
    path: '/api/transfers/{id}/receipts',
    right: 'payments.manage',
    summary: 'Virements enregistrés pour une facture pro forma',
    description: 'Du premier au dernier, annulations comprises\u202f; 200 au plus.',
    params: idParams,
    response: z.object({ data: z.array(receipt) }),
  }),
  cancel: defineEndpoint({
    method: 'POST',
    path: '/api/transfers/{id}/cancellations',
    right: 'payments.manage',
    summary: 'Annuler un virement enregistré par erreur',
    description:
      'Une écriture contraire, avec son motif, s’ajoute\u202f; rien n’est effacé. Si la somme n’y est plus, le paiement est remboursé, avec son avoir, et son abonnement est annulé.',
    params: idParams,
    body: z
      .object({ receiptId: reference('Choisissez un virement'), reason: text(500) })
      .meta({ id: 'TransferCancellationBody' }),
    status: 201,
    response: transfer.extend({ message: z.string() }),
  }),
}
