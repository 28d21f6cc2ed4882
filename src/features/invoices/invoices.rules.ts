import { type Invoice, type InvoiceKind, invoiceKinds } from '#features/invoices/invoices.contract.ts'
import type { DrawnReport } from '#shared/drawing.ts'
import { moneyText } from '#shared/money.ts'

/** The seller, the tax and the payment terms of invoices, from the configuration. */
export type BillingTerms = {
  seller: {
    name: string
    address: string | null
    registration: string | null
    taxNumber: string | null
    /** Bank account for transfers. */
    bank: string | null
  }
  /** In percent, a decimal text; prices include it. */
  vatRate: string
  vatText: string
  paymentTerms: string
}

/** An invoice as frozen when it was issued; amounts are decimal texts. */
export type FrozenInvoice = {
  id: number
  number: string
  kind: InvoiceKind
  corrects: string | null
  issuedAt: string
  plan: string | null
  billingPeriod: 'MONTHLY' | 'YEARLY' | null
  periodStart: string | null
  periodEnd: string | null
  amount: string
  netAmount: string
  vatAmount: string
  vatRate: string
  /** For an upgrade, without tax: the plan's full price, and the credit for unused days; null otherwise. */
  credited: { price: string; credit: string } | null
  currency: string
  vatText: string
  paymentTerms: string
  seller: Partial<BillingTerms['seller']> & { name: string }
  buyer: { name: string; address: string | null; taxNumber: string | null; email: string }
  paymentMethod: Invoice['paymentMethod']
  reference: string | null
  reason: string | null
}

const paidBy: Record<FrozenInvoice['paymentMethod'], string> = {
  VISA: 'carte bancaire',
  MOBILE_MONEY: 'mobile money',
  CASH: 'espèces',
  TRANSFER: 'virement',
}
const periods = { MONTHLY: '1 mois', YEARLY: '1 an' }
const currencies: Record<string, string> = { CDF: 'francs congolais (CDF)', USD: 'dollars américains (USD)' }

const inWords = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'Africa/Kinshasa' })
const inFigures = new Intl.DateTimeFormat('fr-FR', { timeZone: 'Africa/Kinshasa' })

/** Returns the content of an invoice's PDF, only from frozen data, so that it is the same each time it is drawn. */
export function drawnInvoice(invoice: FrozenInvoice): DrawnReport {
  const { kind, number, corrects, seller, buyer, currency, vatRate, vatText, reason } = invoice
  const isCredit = kind === 'credit_note'
  const issued = `${isCredit ? 'Émis' : 'Émise'} le ${inWords.format(new Date(invoice.issuedAt))}`
  const money = (amount: string) => ({ text: moneyText(amount, currency) })
  const line = (words: [string, string], amount: string) => [
    { text: words[0] },
    { text: words[1] },
    money(amount),
  ]
  const hasVat = Number(vatRate) > 0
  const table = {
    columns: ['Désignation', 'Période', 'Montant'],
    words: 2,
    figureWidth: 96,
    rows: [
      line(
        [`Abonnement ${invoice.plan ?? ''}`.trim(), periodOf(invoice)],
        invoice.credited?.price ?? invoice.netAmount,
      ),
      ...(invoice.credited
        ? [line(['Jours non utilisés du plan précédent', ''], `-${invoice.credited.credit}`)]
        : []),
      ...(hasVat
        ? [line([`TVA ${rateText(vatRate)}`, vatText], invoice.vatAmount)]
        : [[{ text: vatText }, { text: '' }, { text: '–' }]]),
      line([isCredit ? 'Total rendu' : 'Total payé', ''], invoice.amount),
    ],
  }
  return {
    title: `${invoiceKinds[kind]} ${number}`,
    madeAt: invoice.issuedAt,
    lines: [issued, ...(corrects ? [`Corrige la facture ${corrects}`] : [])],
    sections: [
      ...partiesOf(seller, buyer),
      {
        ...blank,
        title: 'Détail',
        definition: `Montants en ${currencies[currency] ?? currency}.`,
        drawn: 'table',
        table,
      },
      words(isCredit ? 'Remboursement' : 'Paiement', [
        isCredit
          ? labelled('Motif', reason ?? 'paiement remboursé')
          : `Payée par ${paidBy[invoice.paymentMethod]}${invoice.reference ? `, référence ${invoice.reference}` : ''}.`,
        isCredit ? null : invoice.paymentTerms,
      ]),
    ],
  }
}

/** Returns the sections of a document that name its seller and its buyer. */
export function partiesOf(
  seller: FrozenInvoice['seller'],
  buyer: FrozenInvoice['buyer'],
): DrawnReport['sections'] {
  return [
    words('Émetteur', [
      seller.name,
      seller.address ?? null,
      labelled('Immatriculation', seller.registration),
      labelled('Numéro d’impôt', seller.taxNumber),
    ]),
    words('Client', [
      buyer.name,
      ...(buyer.address?.split('\n') ?? []),
      labelled('Numéro d’impôt', buyer.taxNumber),
      buyer.email,
    ]),
  ]
}

const blank = { unit: '', rowsBehind: null, rows: [] } as const

function words(title: string, lines: readonly (string | null)[]): DrawnReport['sections'][number] {
  return { ...blank, title, drawn: 'text', definition: lines.filter(Boolean).join('\n') }
}

function labelled(label: string, value: string | null | undefined): string | null {
  return value ? `${label}\u00a0: ${value}` : null
}

/** Formats `16.00` as « 16 % ». */
export function rateText(rate: string): string {
  return `${rate.replace(/\.?0+$/, '').replace('.', ',')}\u00a0%`
}

function periodOf({ billingPeriod, periodStart, periodEnd }: FrozenInvoice): string {
  if (periodStart && periodEnd)
    return `du ${inFigures.format(new Date(periodStart))} au ${inFigures.format(new Date(periodEnd))}`
  return billingPeriod ? periods[billingPeriod] : '–'
}
