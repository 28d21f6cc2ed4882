import { expect, test } from 'vitest'
import type { Payment } from '#features/payments/payments.contract.ts'
import { drawnStatement } from '#features/payments/receipts/statement.rules.ts'

const payment = (amount: number, currency: Payment['currency'], status: Payment['status']) =>
  ({
    amount,
    currency,
    status,
    plan: 'Particulier',
    paymentMethod: 'VISA',
    deposit: null,
    user: { id: 1, name: 'Awa Mbala', email: 'awa@exemple.cd' },
    created_at: '2026-03-01T10:00:00Z',
  }) as Payment
const madeAt = new Date('2026-12-01T10:00:00Z')

test('a statement of a year has a row for each payment, and sums the paid amounts by currency, to the cent', () => {
  const rows = [
    ...[payment(0.1, 'USD', 'PAID'), payment(0.2, 'USD', 'PAID'), payment(5, 'USD', 'FAILED')],
    ...[payment(15_000, 'CDF', 'PAID'), payment(7, 'CDF', 'REFUNDED')],
  ]
  const [table, total] = drawnStatement(rows, { year: '2026', madeAt }).sections
  expect(table?.table?.rows).toHaveLength(5)
  expect(table?.table?.rows[0]?.slice(2).map(({ text }) => text.replaceAll('\u00a0', ' '))).toEqual([
    'Carte bancaire',
    'Payé',
    '0,10 $US',
  ])
  expect(total?.definition.replaceAll(/[\u00a0\u202f]/g, ' ')).toBe(
    'Payé en USD : 0,30 $US.\nPayé en CDF : 15 000 FC.',
  )
})

test('a year without payments says so', () => {
  const { lines, sections } = drawnStatement([], { year: '2020', madeAt })
  expect([lines, sections[1]?.definition]).toEqual([[], 'Rien n’a été payé.'])
})
