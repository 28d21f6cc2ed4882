import { expect, test } from 'vitest'
import { importingServer } from '../../../../tests/support/foreign-tables.ts'
import { move } from '../../../../tests/support/imports.ts'

const { admin, db, described, prices } = await importingServer()

test('a line of totals or means is refused, over all rows or a place, and a product or a market whose name contains the word is read', async () => {
  const { id, proposal } = await described(
    [
      'Date;Ville;Marché;Produit;Unité;Prix (FC)',
      '13/03/2026;Goma;Virunga;Huile moyenne qualité;l;4 200',
      '13/03/2026;Goma;Virunga;Total Quartz;l;9 000',
      '13/03/2026;Goma;Ensemble vert;Sel;kg;900',
      '13/03/2026;Goma;Virunga;TOTAL;kg;14 100',
      ';;;Moyenne\u00a0:;;4 700',
      '13/03/2026;Goma;ensemble;Sel;kg;900',
      '13/03/2026;Goma;Virunga;MOYENNE GÉNÉRALE;kg;4 700',
      '13/03/2026;Goma;Virunga;Sous-total;kg;4 700',
      '13/03/2026;Goma;Virunga;Total Virunga :;;14 100',
      '13/03/2026;Goma;Virunga;Moyenne de Goma;;4 700',
    ].join('\n'),
  )
  await move(admin, id, 'map', proposal)
  const { report } = await move(admin, id, 'confirm')
  expect(report).toMatchObject({
    read: 10,
    added: 3,
    rejected: 7,
    created: { markets: 2, products: 3 },
    reasons: [
      { count: 7, message: expect.stringMatching(/^Ligne de total ou de moyenne/), example: { line: 5 } },
    ],
  })
  expect(await prices()).toMatchObject([
    { product: 'Huile moyenne qualité' },
    { product: 'Total Quartz' },
    { market: 'Ensemble vert', product: 'Sel' },
  ])
})

test('a market named « Total » is accepted when its row has a product and a day', async () => {
  const { id, proposal } = await described(
    [
      'Date;Marché;Produit;Unité;Prix (FC)',
      '13/03/2026;Total;Essence;l;3 450',
      '13/03/2026;TOTAL;Gasoil;l;3 440',
      ';Total;;;6 890',
      '13/03/2026;Total;;;6 890',
      '13/03/2026;Zando;Total;l;6 890',
    ].join('\n'),
  )
  await move(admin, id, 'map', proposal)
  const { report } = await move(admin, id, 'confirm')
  expect(report).toMatchObject({ added: 2, rejected: 3, created: { markets: 1 } })
  expect(report?.reasons).toMatchObject([{ count: 3, message: expect.stringContaining('total') }])
  await move(admin, id, 'undo')
})

test('wages, services and dollar rates are distinguished in any table too: averages include only goods, rates are stored as rates', async () => {
  const { id, proposal } = await described(
    [
      'Date;Ville;Marché;Produit;Unité;Prix (FC);Source',
      '13/03/2026;Goma;Virunga;Sel;kg;900;INS',
      '13/03/2026;Goma;Virunga;Salaire journalier;jour;5 000;INS',
      '13/03/2026;Goma;Virunga;Main-d’œuvre agricole;jour;4 500;INS',
      '13/03/2026;Goma;Virunga;Mouture du maïs;kg;150;INS',
      '13/03/2026;Goma;Virunga;Taux de change;1 USD;2 850;INS',
      '13/03/2026;Goma;Virunga;Taux parallèle;1 USD;2 900;INS',
    ].join('\n'),
  )
  await move(admin, id, 'map', proposal)
  const { report } = await move(admin, id, 'confirm')
  expect(report).toMatchObject({ read: 6, added: 5, existing: 1, rejected: 0 })
  expect(await db.selectFrom('product_type').select(['name', 'kind']).orderBy('id').execute()).toEqual([
    { name: 'Sel', kind: 'good' },
    { name: 'Salaire journalier', kind: 'wage' },
    { name: 'Main-d’œuvre agricole', kind: 'wage' },
    { name: 'Mouture du maïs', kind: 'service' },
  ])
  const rates = async () =>
    db.selectFrom('exchange_rate').select(['day', 'cdf_per_usd as rate', 'source']).execute()
  expect(await rates()).toEqual([{ day: '2026-03-13', rate: 2850, source: 'INS' }])
  await move(admin, id, 'undo')
  expect([await prices(), await rates()]).toEqual([[], []])
})
