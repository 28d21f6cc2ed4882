import { type Payment, paymentStatuses } from '#features/payments/payments.contract.ts'
import { paymentMethodName } from '#features/payments/payments.rules.ts'
import type { DrawnReport } from '#shared/drawing.ts'
import { groupBy } from '#shared/group-by.ts'
import { moneyText } from '#shared/money.ts'

const inFigures = new Intl.DateTimeFormat('fr-FR', { timeZone: 'Africa/Kinshasa' })
const blank = { unit: '', rowsBehind: null, rows: [] } as const

/** Returns the PDF content of a user's payments of a year, the first payment first, with exact sums by currency. */
export function drawnStatement(
  payments: readonly Payment[],
  { year, madeAt }: { year: string; madeAt: Date },
): DrawnReport {
  const name = payments[0]?.user.name
  const totals = [...groupBy(payments, ({ currency }) => currency)].flatMap(([currency, rows]) => {
    const paid = rows.filter(({ status }) => status === 'PAID')
    return paid.length > 0 ? [`Payé en ${currency}\u00a0: ${moneyText(sumOf(paid), currency)}.`] : []
  })
  return {
    title: `Relevé des paiements de ${year}`,
    madeAt: madeAt.toISOString(),
    lines: name ? [name] : [],
    sections: [
      {
        ...blank,
        title: 'Paiements',
        definition:
          payments.length > 0
            ? 'Demandés dans l’année, du premier au dernier.'
            : 'Aucun paiement n’a été demandé cette année-là.',
        drawn: 'table',
        table: {
          columns: ['Date', 'Plan', 'Moyen', 'Statut', 'Montant'],
          words: 4,
          figureWidth: 84,
          rows: payments.map((payment) => [
            { text: inFigures.format(new Date(payment.created_at)) },
            { text: payment.plan ?? '–' },
            { text: paymentMethodName(payment) },
            { text: paymentStatuses[payment.status] },
            { text: moneyText(payment.amount, payment.currency) },
          ]),
        },
      },
      {
        ...blank,
        title: 'Total payé',
        drawn: 'text',
        definition: totals.length > 0 ? totals.join('\n') : 'Rien n’a été payé.',
      },
    ],
  }
}

/** Sums whole hundredths, without floating-point addition. */
function sumOf(payments: readonly Payment[]): string {
  const cents = payments.reduce((sum, { amount }) => {
    const [whole = '', rest = ''] = String(amount).split('.')
    return sum + BigInt(whole + rest.padEnd(2, '0'))
  }, 0n)
  const digits = String(cents).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}
