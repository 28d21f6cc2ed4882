import { expect, test } from 'vitest'
import { importingServer } from '../../../../tests/support/foreign-tables.ts'
import { move } from '../../../../tests/support/imports.ts'

const { admin, described, prices } = await importingServer()

test('a line of totals or means is refused as such, and a product or a market whose name only contains the word is read', async () => {
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
    ].join('\n'),
  )
  await move(admin, id, 'map', proposal)
  const { report } = await move(admin, id, 'confirm')
  expect(report).toMatchObject({
    ...{ read: 8, added: 3, rejected: 5, created: { markets: 2, products: 3 } },
    reasons: [
      { count: 5, message: expect.stringMatching(/^Ligne de total ou de moyenne/), example: { line: 5 } },
    ],
  })
  expect(await prices()).toMatchObject([
    { product: 'Huile moyenne qualité' },
    { product: 'Total Quartz' },
    { market: 'Ensemble vert', product: 'Sel' },
  ])
})
