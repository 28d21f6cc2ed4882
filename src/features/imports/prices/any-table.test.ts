import { describe, expect, test } from 'vitest'
import { insertMarket, insertProduct } from '../../../../tests/support/catalogue.ts'
import {
  columnsOf,
  fewsNet,
  importingServer,
  kobo,
  ministry,
} from '../../../../tests/support/foreign-tables.ts'
import { checkedImport, move, readImport, settled } from '../../../../tests/support/imports.ts'

const { admin, db, described, prices } = await importingServer()

describe('a table with unknown columns', () => {
  test('of FEWS NET is proposed column by column, checked, and imported', async () => {
    const { id, proposal, rows, titles } = await described(fewsNet)
    expect(titles).toHaveLength(15)
    expect(rows).toHaveLength(3)
    expect(columnsOf(proposal)).toMatchObject({
      day: 'period_date',
      market: 'market',
      product: 'product',
      unit: 'unit',
      price: 'value',
      currency: 'currency',
      province: 'admin_1',
      format: 'price_type',
    })
    const tried = await move(admin, id, 'map', proposal)
    expect(tried.report).toMatchObject({
      read: 3,
      added: 2,
      rejected: 1,
      created: { markets: 1, products: 1 },
    })
    expect(tried.report?.reasons).toMatchObject([{ message: 'Le prix est absent.', example: { line: 4 } }])
    expect((await move(admin, id, 'confirm')).report).toMatchObject({ added: 2 })
    expect(await prices()).toMatchObject([
      {
        market: 'Goma Virunga',
        location: 'Nord-Kivu',
        product: 'Maize Grain (White)',
        weight: 'kg',
        value: 1450.5,
        day: '2026-01-31',
      },
      { value: 1500, currency: 'CDF', day: '2026-02-28' },
    ])
    expect(await move(admin, id, 'undo')).toMatchObject({ state: 'undone' })
    expect(await prices()).toEqual([])
  })

  test('of a form is read with its groups, its dates settled by the whole column, and informal amounts', async () => {
    const { id, proposal } = await described(kobo)
    expect(columnsOf(proposal)).toMatchObject({
      day: 'Date du relevé',
      market: 'groupe_lieu/Marché',
      location: 'groupe_lieu/Ville',
      product: 'article/Produit',
      unit: 'article/Unité',
      price: 'article/Prix (FC)',
      collector: "Nom de l'enquêteur",
      currency: '= CDF',
    })
    await move(admin, id, 'map', proposal)
    const { report } = await move(admin, id, 'confirm')
    expect(report).toMatchObject({ read: 2, added: 2, notes: [expect.stringContaining('jj/mm/aaaa')] })
    expect(await prices()).toMatchObject([
      { market: 'Zando', location: 'Kinshasa', value: 3500, day: '2026-03-02', collector: 'Amina Kasongo' },
      { value: 3600.5, day: '2026-03-13' },
    ])
  })

  test('of a ministry is found below its heading, with a duplicate title and dates in words', async () => {
    const { id, proposal, titles } = await described(ministry)
    expect(titles).toEqual(['N°', 'Désignation', 'Conditionnement', 'Marché', 'Jour', 'Prix', 'Prix (2)'])
    expect(columnsOf(proposal)).toMatchObject({
      day: 'Jour',
      market: 'Marché',
      product: 'Désignation',
      unit: 'Conditionnement',
      price: 'Prix',
    })
    const dollars = {
      ...proposal,
      name: 'Ministère, dollars',
      fields: {
        ...proposal.fields,
        price: { column: 'Prix (2)' },
        currency: { value: 'USD' },
        location: { value: 'Kinshasa' },
      },
    }
    await move(admin, id, 'map', dollars)
    await move(admin, id, 'map', {
      ...proposal,
      fields: { ...proposal.fields, location: { value: 'Kinshasa' } },
    })
    const { report } = await move(admin, id, 'confirm')
    expect(report).toMatchObject({ read: 3, added: 2, rejected: 1 })
    expect(await prices()).toMatchObject([
      {
        product: 'Ciment gris',
        weight: 'Sac 50 kg',
        value: 38500,
        currency: 'CDF',
        day: '2026-03-03',
        location: 'Kinshasa',
      },
      { product: 'Sucre', value: 4200, day: '2026-03-03' },
    ])
  })

  test('with titles on two merged lines is read with both, and a line with missing titles uses those above', async () => {
    const sheet = [
      'MINISTÈRE DE L’ÉCONOMIE\n',
      'N°;Lieu;;Date du relevé;Article;;Prix;;Relevé par',
      ';Ville;Marché;;Désignation;Conditionnement;FC;USD;',
      '1;Kinshasa;Gambela;02/03/2026;Sucre blanc;kg;3 400;;Kalonji',
      '2;;;13/03/2026;Ciment gris;Sac 50 kg;32 000;;',
    ].join('\n')
    const { id, proposal, titles, rows } = await described(sheet)
    expect(titles.slice(0, 4)).toEqual(['N°', 'Lieu Ville', 'Lieu Marché', 'Date du relevé'])
    expect(rows).toHaveLength(2)
    expect(columnsOf(proposal)).toMatchObject({
      day: 'Date du relevé',
      market: 'Lieu Marché',
      location: 'Lieu Ville',
      price: 'Prix FC',
      product: 'Article Désignation',
      unit: 'Article Conditionnement',
      currency: '= CDF',
      collector: 'Relevé par',
    })
    await move(admin, id, 'map', proposal)
    const { report } = await move(admin, id, 'confirm')
    expect(report).toMatchObject({ read: 2, added: 2 })
    expect(await prices()).toMatchObject([
      { market: 'Gambela', location: 'Kinshasa', product: 'Sucre blanc', value: 3400, day: '2026-03-02' },
      { market: 'Gambela', product: 'Ciment gris', weight: 'Sac 50 kg', value: 32000, day: '2026-03-13' },
    ])
    await move(admin, id, 'undo')

    const lacking = sheet
      .replace('N°;Lieu;;Date du relevé;Article;;Prix;;Relevé par', ';;;Date;Article;Conditionnement;;;')
      .replace(';Ville;Marché;;Désignation;Conditionnement', 'N°;Ville;Marché;;;')
    const found = (await described(lacking)).titles
    expect(found.slice(0, 6).join(' ')).toBe('N° Ville Marché Date Article Conditionnement')
  })

  test('with day and market given once per group is read with the values above its blank cells', async () => {
    const bulletin = [
      'Relevé des prix\n',
      'Date;Marché;Produit;Unité;Prix (FC)',
      '02/03/2026;Mzee;Sucre;kg;4 200',
      ';;Sel;kg;900',
      '13/03/2026;Kenya;Sucre;kg;4 300',
      ';;Sel;kg;950',
      ';;;TOTAL;10 350',
    ].join('\n')
    const { id, proposal } = await described(bulletin)
    expect(proposal.fields).toMatchObject({
      day: { column: 'Date', isGrouped: true },
      market: { column: 'Marché', isGrouped: true },
      product: { column: 'Produit' },
    })
    await move(admin, id, 'map', {
      ...proposal,
      fields: { ...proposal.fields, location: { value: 'Lubumbashi' } },
    })
    const { report } = await move(admin, id, 'confirm')
    expect(report).toMatchObject({
      read: 5,
      added: 4,
      rejected: 1,
      reasons: [{ count: 1, example: { line: 8 } }],
    })
    expect(await prices()).toMatchObject([
      { market: 'Mzee', product: 'Sucre', day: '2026-03-02' },
      { market: 'Mzee', product: 'Sel', day: '2026-03-02' },
      { market: 'Kenya', product: 'Sucre', day: '2026-03-13' },
      { market: 'Kenya', product: 'Sel', value: 950, day: '2026-03-13' },
    ])
  })

  test('in Windows-1252 is read completely, and the report says so, whichever line has the first accent', async () => {
    const form = 'Date;Ville;Produit;Prix\n2026-03-02;Goma;Pâtes;2 500\n2026-03-03;Goma;Pâtes;2 600\n'
    const { id, proposal, rows } = await described(Buffer.from(form, 'latin1'))
    expect(rows[0]).toEqual(['2026-03-02', 'Goma', 'Pâtes', '2 500'])
    await move(admin, id, 'map', proposal)
    const { report } = await move(admin, id, 'confirm')
    expect(report).toMatchObject({ added: 2, notes: [expect.stringContaining('Windows-1252')] })
    expect(await prices()).toMatchObject([{ product: 'Pâtes' }, { product: 'Pâtes' }])
  })

  test('is proposed as saved under a name, whatever the case of its titles', async () => {
    const first = await described(fewsNet)
    await move(admin, first.id, 'map', { ...first.proposal, name: 'FEWS NET', decimal: '.' })
    const next = await described(fewsNet.replace('period_date', 'Period_Date').replaceAll('2026-', '2025-'))
    expect(next.proposal).toMatchObject({
      name: 'FEWS NET',
      decimal: '.',
      fields: { day: { column: 'Period_Date' } },
    })
    const { body } = await admin.get('/api/import-mappings')
    const [saved] = Object(body).data
    expect(saved).toMatchObject({ name: 'FEWS NET', kind: 'prices' })
    const rename = (name: string) =>
      admin.put(`/api/import-mappings/${saved.id}`, { name, updatedAt: saved.updatedAt })
    expect(await rename('Réseau d’alerte')).toMatchObject({ status: 200, body: { name: 'Réseau d’alerte' } })
    expect((await rename('Un autre')).status).toBe(409)
    expect((await admin.delete(`/api/import-mappings/${saved.id}`)).status).toBe(200)
    expect((await described(fewsNet)).proposal.name).toBeNull()
  })

  test('cannot take the name of another table', async () => {
    const first = await described(fewsNet)
    await move(admin, first.id, 'map', { ...first.proposal, name: 'Mes prix' })
    const other = await described(kobo)
    expect(
      await admin.post(`/api/imports/${other.id}/map`, { ...other.proposal, name: 'mes prix' }),
    ).toMatchObject({
      status: 409,
      body: { errors: [{ field: 'name' }] },
    })
    expect((await readImport(admin, other.id)).state).toBe('unmapped')
  })

  test('saved under a name replaces the mapping that it came from, and not one saved by another user meanwhile', async () => {
    const [first, second] = [await described(fewsNet), await described(fewsNet)]
    const keep = (id: number, change: object) =>
      admin.post(`/api/imports/${id}/map`, { ...first.proposal, name: 'FEWS NET', ...change })
    expect((await keep(first.id, { decimal: ',' })).status).toBe(200)
    await settled(admin, first.id)
    expect(await keep(second.id, { decimal: ',', dateOrder: 'day' })).toMatchObject({
      status: 409,
      body: { errors: [{ field: 'name', message: expect.stringContaining('autrement') }] },
    })
    expect((await readImport(admin, second.id)).state).toBe('unmapped')
    expect((await keep(first.id, { decimal: '.' })).status).toBe(200)
    await settled(admin, first.id)
    const next = await described(fewsNet.replace('period_date', 'Period_Date'))
    await move(admin, next.id, 'map', { ...next.proposal, dateOrder: 'day' })
    expect((await described(fewsNet)).proposal).toMatchObject({ decimal: '.', dateOrder: 'day' })
  })

  test.each([
    ['a column that is not there', { day: { column: 'Nulle part' } }, 'day'],
    ['no product', { product: undefined }, 'product'],
    ['one day for all rows', { day: { value: '2026-01-01' } }, 'day'],
    ['a currency that is none of ours', { currency: { value: 'EUR' } }, 'currency'],
  ])('is not read with %s', async (_, change, field) => {
    const { id, proposal } = await described(fewsNet)
    const answer = await admin.post(`/api/imports/${id}/map`, {
      ...proposal,
      fields: { ...proposal.fields, ...change },
    })
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ field }] } })
    expect((await admin.post(`/api/imports/${id}/confirm`)).status).toBe(409)
  })

  test('cannot be mapped when its columns are ours', async () => {
    const { id, proposal } = await described(fewsNet)
    await move(admin, id, 'map', proposal)
    await move(admin, id, 'confirm')
    expect((await admin.post(`/api/imports/${id}/map`, proposal)).status).toBe(409)
  })
})

describe('a name similar to an existing one', () => {
  const file = (market: string, product: string) =>
    `jour;marche;ville;produit;unite;prix\n2026-03-20;${market};Kinshasa;${product};25 kg;45000\n2026-03-21;${market};Kinshasa;${product};25 kg;46000`

  test('asks for a decision: its rows wait, nothing is merged or created, and the answer is stored', async () => {
    const marketId = await insertMarket(db, { name: 'Zando', location: 'Kinshasa' })
    const productId = await insertProduct(db, { name: 'Riz local', weight: '25 kg', format: 'Sac' })
    const { id, proposal } = await described(
      file('Marché de Zando', 'Riz locale').replace(/Riz locale(?=.*$)/, 'RIZ LOCALE'),
    )
    const tried = await move(admin, id, 'map', { ...proposal, name: 'Relevés' })
    expect(tried.report).toMatchObject({
      read: 2,
      added: 0,
      rejected: 2,
      created: { markets: 0, products: 0 },
      questions: [
        { subject: 'market', name: 'Marché de Zando · Kinshasa', rows: 2, candidates: [{ id: marketId }] },
        { subject: 'product', rows: 2, candidates: [{ id: productId }] },
      ],
    })
    const [market, product] = tried.report?.questions ?? []
    const names = {
      markets: { [market?.name ?? '']: { id: marketId, name: 'Zando (Kinshasa)' } },
      products: { [product?.name ?? '']: null },
    }
    const decided = await move(admin, id, 'map', { ...proposal, name: 'Relevés', names })
    expect(decided.report).toMatchObject({
      added: 2,
      rejected: 0,
      questions: [],
      created: { markets: 0, products: 1 },
    })
    await move(admin, id, 'confirm')
    expect(await prices()).toMatchObject([{ market: 'Zando', product: 'Riz locale' }, {}])
    // The next file needs no decision.
    const next = await described(file('Marché de Zando', 'Riz locale').replaceAll('2026-03', '2026-04'))
    expect((await move(admin, next.id, 'map', next.proposal)).report).toMatchObject({
      added: 2,
      questions: [],
    })
  })

  test('is not asked about when it is identical, even where the file does not give the town', async () => {
    await insertMarket(db, { name: 'Zando', location: 'Kinshasa' })
    await insertMarket(db, { name: 'Central', location: 'Goma' })
    await insertMarket(db, { name: 'Central', location: 'Bukavu' })
    const rows = 'jour;marche;produit;prix\n2026-03-20;zando;Sel;500\n2026-03-20;Central;Sel;600'
    const { id, proposal } = await described(rows)
    const { report } = await move(admin, id, 'map', proposal)
    expect(report).toMatchObject({ added: 1, rejected: 1, created: { markets: 0, products: 1 } })
    expect(report?.questions).toMatchObject([{ name: 'Central', candidates: [{}, {}] }])
  })

  test('is asked about when ours begin the product, and gives what it creates a type of ours', async () => {
    const id = await insertProduct(db, { name: 'Haricots rouges de Goma', weight: '100 kg' })
    await db
      .updateTable('product_type')
      .set({ name: 'Riz' })
      .where('id', '=', (eb) => eb.selectFrom('product').select('type_id').where('id', '=', id))
      .execute()
    const rows =
      'jour;marche;produit;prix\n2026-03-20;Zando;Haricot;4100\n2026-03-20;Zando;Rice (Milled);2900'
    const table = await described(rows)
    const { report } = await move(admin, table.id, 'map', table.proposal)
    expect(report?.questions).toMatchObject([{ name: 'Haricot', candidates: [{ id }] }])
    expect(report?.names).toMatchObject({ products: [expect.stringContaining('Rice (Milled)')] })
    expect(report?.created).toMatchObject({ categories: 0, types: 0, products: 1 })
  })
})

describe('a hostile table', () => {
  test.each([
    ['without a row that could name columns', '1;2;3\n4;5;6'],
    ['of pictures', '\u0089PNG\r\n\u001a\n'],
    ['of one column', 'prix\n500\n600'],
  ])('%s fails with a sentence', async (_, content) => {
    const found = await checkedImport(admin, content)
    expect(found.state).toBe('failed')
    expect(found.failure).toMatch(/fichier/)
  })

  test('with formulas, tabs and wild amounts has these rows refused one by one', async () => {
    const { id, proposal } = await described(
      [
        'date\tmarché\tproduit\tprix\tdevise',
        '2026-02-30\tZando\tSel\t500\tCDF',
        '2099-01-01\tZando\tSel\t500\tCDF',
        '2026-02-01\tZando\tSel\t-5\tCDF',
        '2026-02-01\tZando\tSel\t1.2.3\tCDF',
        '2026-02-01\tZando\tSel\t5 $\tCDF',
        '2026-02-01\tZando\tSel\t500\tGBP',
        '2026-02-01\t\tSel\t500\tCDF',
        "2026-02-01\tZando\t=cmd|' /C calc'!A0\t500\tFC",
      ].join('\n'),
    )
    expect(columnsOf(proposal)).toMatchObject({ currency: 'devise' })
    const { report } = await move(admin, id, 'map', proposal)
    expect(report).toMatchObject({ read: 8, added: 1, rejected: 7 })
    expect(report?.errors.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 7, 8])
  })

  test('of a thousand columns and a long preamble is mapped, or refused, quickly', async () => {
    const wide = Array.from({ length: 1000 }, (_, at) => `c${at}`).join(';')
    const { titles } = await described(`note\n\n${wide}\n`)
    expect(titles.length).toBeLessThanOrEqual(200)
    const { body } = await admin.get('/api/imports?limit=1')
    expect(Object(body).data[0]).toMatchObject({ table: null, mapping: null })
  })
})

test('reports stored before a field existed can be read', async () => {
  const { id } = await described(fewsNet)
  const old = { read: 3, added: 2, existing: 1, rejected: 0, errors: [], created: { markets: 1 } }
  await db
    .updateTable('import')
    .set({ state: 'done', report: JSON.stringify(old) })
    .where('id', '=', id)
    .execute()
  expect((await settled(admin, id)).report).toMatchObject({
    ...old,
    revised: 0,
    notes: [],
    questions: [],
    created: { markets: 1, brands: 0 },
  })
  expect((await admin.get('/api/imports')).status).toBe(200)
})
