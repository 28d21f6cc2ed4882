import { z } from 'zod'
import { operators } from '#features/payments/mobile-money.rules.ts'
import { bytes, defineEndpoint, pagination } from '#shared/contract.ts'
import { fileMedia } from '#shared/export.ts'
import {
  amount,
  currency,
  dayFilter,
  flagFilter,
  idFilter,
  idParams,
  inOrder,
  instant,
  listQuery,
  optionalChoice,
  optionalQuery,
  optionalText,
  reference,
  reversedPeriod,
  searchText,
} from '#shared/fields.ts'
import { defineResource, versions } from '#shared/resource.ts'

export const paymentStatus = z.enum(
  ['PENDING', 'PAID', 'FAILED', 'REFUNDED'],
  'Le statut est PENDING, PAID, FAILED ou REFUNDED',
)
export type PaymentStatus = z.infer<typeof paymentStatus>

export const paymentMethod = z.enum(
  ['VISA', 'MOBILE_MONEY', 'CASH', 'TRANSFER'],
  'Le moyen de paiement est VISA, MOBILE_MONEY, CASH ou TRANSFER',
)
export type PaymentMethod = z.infer<typeof paymentMethod>

/** French names of statuses and methods. */
export const paymentStatuses: Record<PaymentStatus, string> = {
  PENDING: 'En attente',
  PAID: 'Payé',
  FAILED: 'Échoué',
  REFUNDED: 'Remboursé',
}
export const paymentMethods: Record<PaymentMethod, string> = {
  VISA: 'Carte bancaire',
  MOBILE_MONEY: 'Mobile money',
  CASH: 'Espèces',
  TRANSFER: 'Virement',
}

export const payment = z
  .object({
    id: z.int(),
    /** Null until a payment made by the subscriber is confirmed. */
    subscriptionId: z.int().nullable(),
    userId: z.int(),
    user: z.object({ id: z.int(), name: z.string(), email: z.string() }),
    planId: z.int().nullable(),
    plan: z.string().nullable(),
    amount: z.number(),
    currency,
    status: paymentStatus,
    paymentMethod,
    transactionRef: z.string().nullable(),
    authorizationCode: z.string().nullable(),
    /** Reason of the refund, given by the team. */
    refundReason: z.string().nullable(),
    /** State of the deposit; null for payments recorded by the team. */
    deposit: z
      .object({
        /** Null for a card. */
        operator: z.enum(operators).nullable(),
        /** Digits, with the country code; null for a card, and where another payer uses a link. */
        phone: z.string().nullable(),
        /** `created`: to be sent; `pending`: waits for the payer; `unverified`, `review`: wait for the team. */
        state: z.enum(['created', 'pending', 'succeeded', 'failed', 'unverified', 'review']),
        /** Address of the card page; null for mobile money, by a link, before the page is opened, and after it ended. */
        pageUrl: z.string().nullable(),
        failure: z.object({ code: z.string(), message: z.string() }).nullable(),
      })
      .nullable(),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'Payment' })
export type Payment = z.infer<typeof payment>

const filters = {
  search: searchText,
  status: optionalQuery(paymentStatus),
  // Both spellings are accepted.
  paymentMethod: optionalQuery(paymentMethod),
  payment_method: optionalQuery(paymentMethod),
  subscriptionId: idFilter,
  subscription_id: idFilter,
  planId: idFilter,
  userId: idFilter,
  currency: optionalQuery(currency),
  /** Days in Kinshasa, both inclusive. */
  startDate: dayFilter,
  endDate: dayFilter,
  /** Only payments that the team must review, or only the others. */
  toVerify: flagFilter,
}

const code = optionalText(200)
const refundReason = optionalText(500)

const resource = defineResource({
  name: 'payments',
  listed: 'payments',
  noun: { one: 'Paiement', many: 'paiements', gender: 'm' },
  permission: { read: 'payments.manage', write: 'payments.manage' },
  row: payment,
  // Both spellings are accepted.
  input: z
    .object({
      subscriptionId: reference('Choisissez un abonnement').nullish(),
      subscription_id: reference('Choisissez un abonnement').nullish(),
      amount,
      /** USD when absent. */
      currency: currency.optional(),
      /** PENDING when absent. */
      status: paymentStatus.optional(),
      /** VISA when absent. */
      paymentMethod: paymentMethod.optional(),
      payment_method: paymentMethod.optional(),
      transactionRef: code,
      transaction_ref: code,
      authorizationCode: code,
      authorization_code: code,
      /** Only when it becomes REFUNDED. */
      refundReason,
    })
    .meta({ id: 'PaymentBody' }),
  filters,
  sortable: ['created_at', 'amount', 'user'],
  columns: [
    { key: 'created_at', title: 'Date', kind: 'instant', value: ({ created_at }) => created_at },
    { key: 'user', title: 'Utilisateur', value: ({ user }) => user.name },
    { key: 'email', title: 'E-mail', value: ({ user }) => user.email },
    { key: 'plan', title: 'Plan', value: ({ plan }) => plan },
    { key: 'amount', title: 'Montant', kind: 'amount', value: ({ amount }) => amount },
    { key: 'currency', title: 'Devise', value: ({ currency }) => currency },
    { key: 'paymentMethod', title: 'Moyen', value: ({ paymentMethod }) => paymentMethods[paymentMethod] },
    { key: 'status', title: 'Statut', value: ({ status }) => paymentStatuses[status] },
    { key: 'transactionRef', title: 'Référence', value: ({ transactionRef }) => transactionRef },
    { key: 'authorizationCode', title: 'Autorisation', value: ({ authorizationCode }) => authorizationCode },
    {
      key: 'subscription',
      title: 'Abonnement',
      kind: 'number',
      value: ({ subscriptionId }) => subscriptionId,
    },
  ],
  labels: { refundReason: 'Motif' },
})

/** A user may read each of their own payments; everything else is for managers. */
export const payments = {
  ...resource,
  list: { ...resource.list, query: resource.list.query.refine(inOrder, reversedPeriod) },
  exportAll: { ...resource.exportAll, query: resource.exportAll.query.refine(inOrder, reversedPeriod) },
  find: { ...resource.find, right: 'session' as const },
}

export const setPaymentStatus = defineEndpoint({
  method: 'PUT',
  path: '/api/payments/{id}/status',
  right: 'payments.manage',
  summary: 'Changer le statut d’un paiement',
  description: 'Un paiement payé ouvre ou prolonge l’abonnement.',
  params: idParams,
  body: z
    .object({
      status: paymentStatus,
      /** Reason, for REFUNDED. */
      reason: refundReason,
      ...versions,
    })
    .meta({ id: 'PaymentStatusBody' }),
  response: payment.extend({ message: z.string() }),
})

export const ownPayments = defineEndpoint({
  method: 'GET',
  path: '/api/payments/mine',
  right: 'session',
  summary: 'Mes paiements',
  description: 'Du plus récent au plus ancien.',
  query: listQuery([])
    .omit({ sort: true })
    .extend({ status: optionalQuery(paymentStatus) }),
  response: z.object({ payments: z.array(payment), pagination }),
})

export const ownStatement = defineEndpoint({
  method: 'GET',
  path: '/api/payments/mine/export',
  right: 'session',
  summary: 'Relevé de ses paiements d’une année',
  description:
    'Un fichier de tous ses paiements demandés dans l’année, du premier au dernier, avec le statut de chacun.',
  query: z.object({
    /** The current year when absent. */
    year: optionalQuery(
      z
        .string('Année attendue (aaaa)')
        .regex(/^20\d\d$/, 'Année attendue (aaaa)')
        .meta({ type: 'integer', pattern: undefined, minimum: 2000, maximum: 2099 }),
    ),
    fileFormat: optionalChoice(
      z.enum(['csv', 'csv-machine', 'xlsx', 'pdf'], 'Le format est csv, csv-machine, xlsx ou pdf'),
      'csv',
    ),
  }),
  media: [...fileMedia, 'application/pdf'],
  response: bytes,
})

const part = { count: z.int(), amount: z.number() }

export const paymentSummary = defineEndpoint({
  method: 'GET',
  path: '/api/payments/analytics/summary',
  right: 'payments.manage',
  summary: 'Montants des paiements d’une sélection',
  description:
    'Les montants de devises différentes ne s’ajoutent qu’en dollars, chacun au taux de son jour\u202f; byCurrency les donne dans la leur.',
  query: z.object(filters).refine(inOrder, reversedPeriod),
  response: z
    .object({
      totalCount: z.int(),
      totalAmount: z.number(),
      /** Currency of every amount except in `byCurrency` and `byStatusAndCurrency`. */
      currency: z.literal('USD'),
      byStatus: z.array(z.object({ status: paymentStatus, ...part })),
      byMethod: z.array(z.object({ method: paymentMethod, ...part })),
      /** `amount` is in the group's currency. */
      byCurrency: z.array(z.object({ currency, ...part, amountUsd: z.number() })),
      /** `amount` is in the group's currency. */
      byStatusAndCurrency: z.array(z.object({ status: paymentStatus, currency, ...part })),
      daily: z.array(z.object({ date: z.string(), ...part })),
      /** Number of payments whose day has no rate; not included in amounts in dollars. */
      withoutRate: z.int(),
    })
    .meta({ id: 'PaymentSummary' }),
})
