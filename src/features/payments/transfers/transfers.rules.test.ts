import { expect, test } from 'vitest'
import { drawnProForma } from '#features/payments/transfers/transfers.rules.ts'

const transfer = {
  id: 1,
  reference: 'VIR-000001',
  userId: 1,
  client: 'ONG Espoir',
  plan: 'Institution',
  amount: 590,
  currency: 'USD' as const,
  received: 0,
  remaining: 590,
  credit: 0,
  state: 'waiting' as const,
  isDeletable: true,
  paymentId: null,
  createdAt: '2026-11-27T10:00:00.000Z',
}
const seller = {
  name: 'Ntalo SARL',
  address: 'Gombe',
  registration: 'RCCM 1',
  taxNumber: 'A1',
  bank: 'Compte 7',
}
const buyer = { name: 'ONG Espoir', address: '12, av. du Port\nGoma', taxNumber: 'B2', email: 'a@espoir.cd' }
const textOf = (vat: { vatRate: string; vatText: string }) =>
  JSON.stringify(drawnProForma(transfer, { seller, buyer, paymentTerms: '', ...vat }))

test('a pro-forma names both parties as an invoice does, its account and reference, and the tax in the price', () => {
  const text = textOf({ vatRate: '16.00', vatText: '' })
  for (const each of ['RCCM 1', 'A1', 'Goma', 'B2', 'a@espoir.cd', 'Compte 7', 'VIR-000001'])
    expect(text).toContain(each)
  expect(text).toContain('Le prix comprend la TVA de 16\u00a0%.')
  expect(textOf({ vatRate: '0.00', vatText: 'TVA non applicable' })).toContain('TVA non applicable.')
})
