import { expect, test } from 'vitest'
import { importPrices } from '#features/imports/prices/imports.jobs.ts'
import { columnsOf, importingServer, kobo } from '../../../../tests/support/foreign-tables.ts'
import { move } from '../../../../tests/support/imports.ts'
import { bytesOf } from '../../../../tests/support/price-files.ts'

const { admin, described, prices, pool } = await importingServer()
const collectors = /"Nom de l'enquêteur";|"Amina Kasongo";/g
const withoutCollector = kobo.replaceAll(collectors, '').replaceAll('2026', '2025')

test('a table that lacks an optional column of a saved mapping is read without it, and the report says so', async () => {
  const first = await described(kobo)
  await move(admin, first.id, 'map', { ...first.proposal, name: 'Formulaire', decimal: ',' })
  const next = await described(withoutCollector)
  expect(next.proposal).toMatchObject({ name: 'Formulaire', titles: next.titles })
  await move(admin, next.id, 'map', next.proposal)
  const { report } = await move(admin, next.id, 'confirm')
  expect(report).toMatchObject({
    read: 2,
    added: 2,
    notes: [expect.stringMatching(/Nom de l'enquêteur.*Collecteur/), expect.stringContaining('jj/mm/aaaa')],
  })
  expect(await prices()).toMatchObject([{ collector: 'Non précisé' }, { collector: 'Non précisé' }])
  await move(admin, next.id, 'undo')
  // The stored mapping still names the column.
  expect(columnsOf((await described(kobo.replaceAll('2026', '2024'))).proposal)).toMatchObject({
    collector: "Nom de l'enquêteur",
  })
})

test('a table without a required column of a mapping is refused with its title, and gets no proposal from it', async () => {
  const first = await described(kobo)
  await move(admin, first.id, 'map', { ...first.proposal, name: 'Formulaire' })
  const lacking = kobo.replaceAll(/"groupe_lieu\/Marché";|"Zando";/g, '')
  expect((await described(lacking)).proposal.name).toBeNull()
  await expect(
    importPrices(pool, bytesOf(lacking), { mapping: first.proposal, isDryRun: true }),
  ).rejects.toThrow(
    'Aucune ligne de ce fichier n’a tous ces titres\u00a0: Date du relevé, groupe_lieu/Marché, article/Produit, article/Prix (FC).',
  )
})
