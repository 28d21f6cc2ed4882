import { z } from 'zod'
import { bytes, defineEndpoint, pagination } from '#shared/contract.ts'
import { type ExportColumn, fileMedia, listFormat } from '#shared/export.ts'
import {
  currency,
  dayFilter,
  emailAddress,
  idFilter,
  idParams,
  inOrder,
  instant,
  listQuery,
  optionalProse,
  optionalQuery,
  optionalText,
  reversedPeriod,
  searchText,
  text,
} from '#shared/fields.ts'
import type { Noun } from '#shared/resource.ts'

const invoiceKind = z.enum(['invoice', 'credit_note'], 'Le genre est invoice ou credit_note')
export type InvoiceKind = z.infer<typeof invoiceKind>

export const invoiceKinds: Record<InvoiceKind, string> = { invoice: 'Facture', credit_note: 'Avoir' }

const invoiceMethod = z.enum(
  ['VISA', 'MOBILE_MONEY', 'CASH', 'TRANSFER'],
  'Le moyen de paiement est VISA, MOBILE_MONEY, CASH ou TRANSFER',
)

export const invoice = z
  .object({
    id: z.int(),
    /** `2026-000123`, without gaps in a year; credit notes have a series of their own, `AV-2026-000004`. */
    number: z.string(),
    kind: invoiceKind,
    /** Number of the invoice that a credit note corrects. */
    corrects: z.string().nullable(),
    paymentId: z.int(),
    userId: z.int(),
    /** Name that it was issued to. */
    client: z.string(),
    plan: z.string().nullable(),
    /** Including tax; for a credit note, the refunded amount. */
    amount: z.number(),
    vatAmount: z.number(),
    currency,
    paymentMethod: invoiceMethod,
    reference: z.string().nullable(),
    issuedAt: instant,
  })
  .meta({ id: 'Invoice' })
export type Invoice = z.infer<typeof invoice>

export const invoiceNoun: Noun = { one: 'Facture', many: 'factures', gender: 'f' }

const filters = z.object({
  search: searchText,
  kind: optionalQuery(invoiceKind),
  paymentId: idFilter,
  /** Name of the plan at the time. */
  plan: searchText,
  paymentMethod: optionalQuery(invoiceMethod),
  currency: optionalQuery(currency),
  /** Days in Kinshasa, both inclusive. */
  startDate: dayFilter,
  endDate: dayFilter,
})

/** Credit notes count as negative. */
const signed = ({ kind }: Invoice, value: number) => (kind === 'credit_note' ? -value : value)
const net = ({ amount, vatAmount }: Invoice) => (Math.round(amount * 100) - Math.round(vatAmount * 100)) / 100

/** The sales journal, for import into accounting. */
export const salesColumns: readonly ExportColumn<Invoice>[] = [
  { key: 'issuedAt', title: 'Date', kind: 'instant', value: ({ issuedAt }) => issuedAt },
  { key: 'number', title: 'Numéro', value: ({ number }) => number },
  { key: 'kind', title: 'Pièce', value: ({ kind }) => invoiceKinds[kind] },
  { key: 'corrects', title: 'Facture corrigée', value: ({ corrects }) => corrects },
  { key: 'client', title: 'Client', value: ({ client }) => client },
  { key: 'net', title: 'Montant HT', kind: 'amount', value: (row) => signed(row, net(row)) },
  { key: 'vatAmount', title: 'TVA', kind: 'amount', value: (row) => signed(row, row.vatAmount) },
  { key: 'amount', title: 'Montant TTC', kind: 'amount', value: (row) => signed(row, row.amount) },
  { key: 'currency', title: 'Devise', value: ({ currency }) => currency },
  { key: 'paymentMethod', title: 'Moyen', value: ({ paymentMethod }) => methodNames[paymentMethod] },
  { key: 'reference', title: 'Référence', value: ({ reference }) => reference },
]

export const methodNames: Record<Invoice['paymentMethod'], string> = {
  VISA: 'Carte bancaire',
  MOBILE_MONEY: 'Mobile money',
  CASH: 'Espèces',
  TRANSFER: 'Virement',
}

export const invoices = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/invoices',
    right: 'session',
    summary: 'Factures et avoirs',
    description: 'Les siens\u202f; ceux de tous pour qui gère les paiements. Les plus récents d’abord.',
    query: listQuery(['issuedAt', 'amount']).extend(filters.shape).refine(inOrder, reversedPeriod),
    response: z.object({ data: z.array(invoice), pagination }),
  }),
  exportAll: defineEndpoint({
    method: 'GET',
    path: '/api/invoices/export',
    right: 'payments.manage',
    summary: 'Journal des ventes',
    description:
      'Une ligne par facture et par avoir, ceux-ci en négatif\u00a0: date, numéro, client, HT, TVA, TTC, devise, moyen, référence. De la plus ancienne à la plus récente, sauf autre ordre demandé.',
    query: listQuery(['issuedAt', 'amount'])
      .omit({ page: true, limit: true })
      .extend({ ...filters.shape, fileFormat: listFormat })
      .refine(inOrder, reversedPeriod),
    media: fileMedia,
    response: bytes,
  }),
  pdf: defineEndpoint({
    method: 'GET',
    path: '/api/invoices/{id}/pdf',
    right: 'session',
    summary: 'Une facture ou un avoir en PDF',
    description:
      'Dessiné à la demande, de ce qui a été fixé à l’émission\u00a0: les mêmes octets chaque fois.',
    params: idParams,
    media: ['application/pdf'],
    response: bytes,
  }),
}

const billingDetails = z
  .object({
    name: z.string(),
    address: z.string().nullable(),
    taxNumber: z.string().nullable(),
    email: z.string(),
  })
  .meta({ id: 'BillingDetails' })
export type BillingDetails = z.infer<typeof billingDetails>

/** The billing details of the user's next invoices. */
export const ownBilling = {
  read: defineEndpoint({
    method: 'GET',
    path: '/api/billing-details',
    right: 'session',
    summary: 'Ses coordonnées de facturation',
    description: 'Le nom et l’adresse e-mail du compte tant que rien d’autre n’a été écrit.',
    response: billingDetails,
  }),
  change: defineEndpoint({
    method: 'PUT',
    path: '/api/billing-details',
    right: 'session',
    summary: 'Changer ses coordonnées de facturation',
    description: 'Elles valent pour les factures à venir\u202f; celles qui sont émises ne changent pas.',
    body: z
      .object({
        name: text(200),
        address: optionalProse(500),
        taxNumber: optionalText(60),
        email: emailAddress,
      })
      .meta({ id: 'BillingDetailsBody' }),
    response: billingDetails.extend({ message: z.string() }),
  }),
}
