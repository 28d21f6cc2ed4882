import {
  type BillingTerms,
  type FrozenInvoice,
  partiesOf,
  rateText,
} from '#features/invoices/invoices.rules.ts'
import type { Transfer } from '#features/payments/transfers/transfers.contract.ts'
import type { DrawnReport } from '#shared/drawing.ts'
import { moneyText } from '#shared/money.ts'

const inWords = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeZone: 'Africa/Kinshasa' })

/** Returns the data of a transfer for an organisation: amount, account and reference. */
export function drawnProForma(
  transfer: Transfer,
  { seller, vatRate, vatText, buyer }: BillingTerms & Pick<FrozenInvoice, 'buyer'>,
): DrawnReport {
  const { reference, plan, amount, currency, createdAt } = transfer
  const vat =
    Number(vatRate) > 0
      ? `Le prix comprend la TVA de ${rateText(vatRate)}.`
      : [vatText, /[.!?]$/.test(vatText) ? '' : '.'].join('')
  const blank = { unit: '', rowsBehind: null, rows: [] } as const
  const words = (title: string, lines: readonly (string | null | undefined)[]) => ({
    ...blank,
    title,
    drawn: 'text' as const,
    definition: lines.filter(Boolean).join('\n'),
  })
  return {
    title: `Facture pro forma ${reference}`,
    madeAt: createdAt,
    lines: [
      `Faite le ${inWords.format(new Date(createdAt))}. Ce n’est pas une facture\u00a0: celle-ci suit le paiement.`,
    ],
    sections: [
      ...partiesOf(seller, buyer),
      {
        ...blank,
        title: 'Détail',
        definition: `À payer par virement. ${vat}`,
        drawn: 'table' as const,
        table: {
          columns: ['Désignation', 'Référence', 'Montant'],
          words: 2,
          figureWidth: 96,
          rows: [
            [{ text: `Abonnement ${plan}` }, { text: reference }, { text: moneyText(amount, currency) }],
          ],
        },
      },
      words('Paiement', [
        seller.bank ?? 'Demandez-nous le compte à créditer, par la page Contact.',
        `Indiquez la référence ${reference}. L’accès s’ouvre quand la somme entière est reçue.`,
      ]),
    ],
  }
}
