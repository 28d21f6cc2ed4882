import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { importPrices } from '#features/imports/prices/imports.jobs.ts'
import { findMappingByName } from '#features/mappings/mappings.sql.ts'
import { across, columnsOf, importingServer } from '../../../../tests/support/foreign-tables.ts'
import { move } from '../../../../tests/support/imports.ts'

const { admin, db, described, pool, prices } = await importingServer()

describe('a table with months across', () => {
  const content = [
    'MINISTERE DE L’ECONOMIE NATIONALE;;;;;;',
    'Prix moyens des produits de première nécessité;;;;;;',
    'N°;Produit;Unité;Marché;janv-26;févr-26;mars-26;Moyenne',
    '1;Riz;kg;Mzee;3 500;3 600;;3 550',
    '2;Sel;kg;Mzee;900;n.d.;950,5;925',
    '3;Huile;litre;Kenya;;;;',
  ].join('\n')

  test('is read cell by cell, except blank ones', async () => {
    const { id, titles, proposal } = await described(content)
    expect(titles).toEqual(['N°', 'Produit', 'Unité', 'Marché', 'janv-26', 'févr-26', 'mars-26', 'Moyenne'])
    expect(columnsOf(proposal)).toEqual({
      day: '(titles)',
      market: 'Marché',
      product: 'Produit',
      unit: 'Unité',
      currency: '= CDF',
    })
    const told = { ...proposal, fields: { ...proposal.fields, location: { value: 'Lubumbashi' } } }
    await move(admin, id, 'map', told)
    const { report } = await move(admin, id, 'confirm')
    expect(report).toMatchObject({
      read: 5,
      added: 4,
      rejected: 1,
      created: { products: 2, markets: 1 },
      errors: [{ line: 5, message: expect.stringContaining('n’est pas un nombre') }],
      notes: [expect.stringContaining('titres')],
    })
    expect(await prices()).toMatchObject([
      { market: 'Mzee', product: 'Riz', weight: 'kg', value: 3500, day: '2026-01-15' },
      { product: 'Sel', value: 900, day: '2026-01-15' },
      { product: 'Riz', value: 3600, day: '2026-02-15' },
      { product: 'Sel', value: 950.5, day: '2026-03-15' },
    ])
  })

  test('is recognised under its name with more months, on the screen and by its name', async () => {
    const first = await described(content)
    await move(admin, first.id, 'map', { ...first.proposal, name: 'Ministère' })
    const next = await described(
      content
        .replace('mars-26;', 'mars-26;avr-26;')
        .replace('950,5;', '950,5;970;')
        .replace('3 600;;', '3 600;;3 700;')
        .replace('Kenya;;;;', 'Kenya;;;;;'),
    )
    expect(next.proposal).toMatchObject({ name: 'Ministère', fields: { day: { inTitles: true } } })
    const tried = await move(admin, next.id, 'map', next.proposal)
    expect(tried.report).toMatchObject({ read: 7, added: 6, rejected: 1 })
    const mapping = await findMappingByName(db, 'prices', 'ministère')
    const piped = Readable.from([Buffer.from(content)])
    expect(await importPrices(pool, piped, { isDryRun: true, mapping: mapping ?? null })).toMatchObject({
      read: 5,
      added: 4,
    })
  })

  test('with its year elsewhere asks for the year', async () => {
    const { id, proposal } = await described(
      'Article;Marché;Jan;Fév;Mars;Total\nSucre;Zando;4200;4300;4400;12900\n',
    )
    expect(columnsOf(proposal)).toMatchObject({ day: '(titles)', product: 'Article' })
    const without = await admin.post(`/api/imports/${id}/map`, proposal)
    expect(without).toMatchObject({ status: 400, body: { errors: [{ field: 'year' }] } })
    const told = { ...proposal, fields: { ...proposal.fields, year: { value: '2025' } } }
    expect((await move(admin, id, 'map', told)).report).toMatchObject({ read: 3, added: 3 })
    await move(admin, id, 'confirm')
    expect((await prices()).map((price) => Object(price).day)).toEqual([
      '2025-01-15',
      '2025-02-15',
      '2025-03-15',
    ])
  })

  test('keeps the month in progress for later, and says why, since its prices are dated the 15th', async () => {
    const { id, proposal } = await described(content)
    await move(admin, id, 'map', { ...proposal, name: 'Mois en cours' })
    const mapping = (await findMappingByName(db, 'prices', 'mois en cours')) ?? null
    const errorsOn = async (now: string) => {
      const source = Readable.from([Buffer.from(content)])
      const { errors } = await importPrices(pool, source, { isDryRun: true, mapping, now: new Date(now) })
      return errors.map(({ message }) => message).filter((message) => message.includes('mars-26'))
    }
    expect(await errorsOn('2026-03-10T12:00:00Z')).toEqual([
      'Le mois «\u202fmars-26\u202f» n’est pas à sa moitié\u00a0: ses prix se datent du 15. Donnez leur jour, ou importez-les après.',
    ])
    expect(await errorsOn('2026-02-20T12:00:00Z')).toEqual([
      'La date «\u202fmars-26\u202f» est dans le futur.',
    ])
    expect(await errorsOn('2026-03-15T12:00:00Z')).toEqual([])
  })

  test('with two years one below the other asks to separate them: no month is silently left out', async () => {
    const { id, proposal } = await described(
      ';;2025;;2026;\nArticle;Marché;Jan;Fév;Jan;Fév\nSucre;Zando;4200;4300;4400;4500\n',
    )
    const told = { ...proposal, fields: { ...proposal.fields, year: { value: '2025' } } }
    expect(await admin.post(`/api/imports/${id}/map`, told)).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'day', message: expect.stringContaining('plusieurs fois') }] },
    })
  })

  test('in a workbook, whose titles are dates, is found', async () => {
    const { id, proposal } = await described(across)
    expect(columnsOf(proposal)).toMatchObject({ day: '(titles)', product: 'Produit', market: 'Marché' })
    expect((await move(admin, id, 'map', proposal)).report).toMatchObject({ read: 3, added: 3 })
    await move(admin, id, 'confirm')
    expect(await prices()).toMatchObject([
      { value: 3500, day: '2026-01-01' },
      { value: 3600.5, day: '2026-02-01' },
      { value: 3700, day: '2026-03-01' },
    ])
  })
})

test('a table with a separate column for the year is read with it', async () => {
  const { id, proposal } = await described(
    'Année;Mois;Marché;Produit;Prix\n2025;Janvier;Zando;Sel;2000\n2025;Février;Zando;Sel;2010\n2025;31 mars;Zando;Sel;2020\n',
  )
  expect(columnsOf(proposal)).toMatchObject({ day: 'Mois', year: 'Année', price: 'Prix' })
  await move(admin, id, 'map', proposal)
  await move(admin, id, 'confirm')
  expect(await prices()).toMatchObject([{ day: '2025-01-15' }, { day: '2025-02-15' }, { day: '2025-03-31' }])
})
