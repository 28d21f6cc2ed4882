import { describe, expect, test } from 'vitest'
import { insertMarket, insertProduct } from '../../../../tests/support/catalogue.ts'
import { columnsOf, importingServer } from '../../../../tests/support/foreign-tables.ts'
import { move } from '../../../../tests/support/imports.ts'

const { admin, db, described, prices } = await importingServer()

describe('a table with a column for each product', () => {
  const form = [
    'start;today;enqueteur;admin1;marche;riz_prix;riz_disponible;huile_prix_litre;Prix Farine de maïs (FC/kg);_id;_latitude',
    '2026-03-02T09:12:33.120+01:00;2026-03-02;Amina;Nord-Kivu;Virunga;3500;oui;5200;1800;1;-1.67',
    '2026-03-03T09:12:33.120+01:00;2026-03-03;Amina;Nord-Kivu;Birere;3600;oui;;1850,50;2;-1.66',
  ].join('\n')

  test('as made by forms on phones is proposed, and read cell by cell', async () => {
    const { id, proposal } = await described(form)
    expect(columnsOf(proposal)).toEqual({
      day: 'today',
      market: 'marche',
      province: 'admin1',
      collector: 'enqueteur',
      product: '(titles)',
      currency: '= CDF',
    })
    expect(proposal.fields.product).toEqual({
      inTitles: ['riz_prix', 'huile_prix_litre', 'Prix Farine de maïs (FC/kg)'],
    })
    await move(admin, id, 'map', proposal)
    const { report } = await move(admin, id, 'confirm')
    expect(report).toMatchObject({
      read: 5,
      added: 5,
      rejected: 0,
      notes: [expect.stringContaining('Les produits sont dans les titres')],
    })
    expect(await prices()).toMatchObject([
      { market: 'Virunga', product: 'Riz', value: 3500, day: '2026-03-02', collector: 'Amina' },
      { product: 'Huile', weight: 'litre', value: 5200 },
      { product: 'Farine de maïs', weight: 'kg', value: 1800 },
      { market: 'Birere', product: 'Riz', value: 3600, day: '2026-03-03' },
      { product: 'Farine de maïs', value: 1850.5 },
    ])
  })

  test('of medians, whose titles are only names, is read too, without counts and totals', async () => {
    const { id, proposal } = await described(
      'Mois,Gouvernorat,Marché,Riz,Haricot,Sucre (kg),Nombre de commerçants,Moyenne\n2026-01,Goma,Virunga,3500,4200,3900,5,3866\n2026-02,Goma,Virunga,3600,4100,,7,3850\n',
    )
    expect(proposal.fields).toMatchObject({ product: { inTitles: ['Riz', 'Haricot', 'Sucre (kg)'] } })
    const tried = await move(admin, id, 'map', proposal)
    expect(tried.report).toMatchObject({ read: 5, added: 5, rejected: 0 })
  })

  test('is recognised under its name, and lists the columns missing from the next one', async () => {
    const first = await described(form)
    const told = { ...proposalWithout(first.proposal, 'riz_prix'), name: 'Enquête' }
    await move(admin, first.id, 'map', told)
    const next = await described(form.replaceAll(/;huile_prix_litre|;5200(?=;1800)|;(?=;1850)/g, ''))
    expect(next.proposal).toMatchObject({
      name: 'Enquête',
      fields: { product: { inTitles: ['huile_prix_litre', 'Prix Farine de maïs (FC/kg)'] } },
    })
    const tried = await move(admin, next.id, 'map', next.proposal)
    expect(tried.report).toMatchObject({ added: 2, rejected: 0 })
    expect(tried.report?.notes).toContainEqual(expect.stringContaining('huile_prix_litre'))
  })

  test('asks which columns to read, and accepts only one subject in the titles', async () => {
    const { id, proposal } = await described(form)
    const refused = async (fields: object) => {
      const answer = await admin.post(`/api/imports/${id}/map`, {
        ...proposal,
        fields: { ...proposal.fields, ...fields },
      })
      expect(answer.status).toBe(400)
      return Object(answer.body).errors.map(({ message }: { message: string }) => message)
    }
    expect(await refused({ product: { inTitles: [] } })).toEqual(['Choisissez les colonnes'])
    expect(await refused({ product: { inTitles: ['ailleurs'] } })).toEqual([
      'Aucune des colonnes choisies n’est dans ce fichier.',
    ])
    expect(await refused({ product: { inTitles: true } })).toEqual(['Choisissez une colonne\u00a0: Produit.'])
    expect(await refused({ market: { inTitles: ['riz_prix'] } })).toEqual([
      'Les titres ne disent qu’une chose\u00a0: la date, le produit ou le marché.',
    ])
  })
})

test('a table with products in rows and a column for each market is read too', async () => {
  const { id, proposal } = await described(
    'Date;Produit;Unité;Zando;Gambela;Marché Liberté\n05/03/2026;Riz;kg;3 500;3 600;3 450\n05/03/2026;Sel;kg;900;;950\n15/03/2026;Sel;kg;910;920;\n',
  )
  expect(proposal.fields).toMatchObject({
    product: { column: 'Produit' },
    market: { inTitles: ['Zando', 'Gambela', 'Marché Liberté'] },
  })
  await move(admin, id, 'map', proposal)
  const { report } = await move(admin, id, 'confirm')
  expect(report).toMatchObject({ read: 7, added: 7, created: { markets: 3, products: 2 } })
})

test.each([
  {
    subject: 'product',
    table:
      'Mois,Gouvernorat,Marché,Riz,Huile végétal,Sucre\n2026-01,Goma,Virunga,3500,5200,3900\n2026-02,Goma,Virunga,3600,,4000\n',
  },
  {
    subject: 'market',
    table:
      'Date;Produit;Unité;Zando;Marché de Virunga;Gambela\n05/03/2026;Riz;kg;3500;3600;3450\n15/03/2026;Riz;kg;3510;;3460\n',
  },
])(
  'a doubtful name in the titles ($subject) holds back its own cells, and no other cell of their line',
  async ({ subject, table }) => {
    await insertProduct(db, { name: 'Huile végétale', weight: 'litre' })
    await insertMarket(db, { name: 'Virunga', location: 'Goma' })
    const { id, proposal } = await described(table)
    const { report } = await move(admin, id, 'map', proposal)
    expect(report).toMatchObject({
      read: 5,
      added: 4,
      existing: 0,
      rejected: 1,
      questions: [{ subject, rows: 1 }],
      errors: [{ line: 2 }],
    })
    await move(admin, id, 'confirm')
    expect(await prices()).toHaveLength(4)
  },
)

function proposalWithout<P extends { fields: object }>(proposal: P, left: string): P {
  const { product } = Object(proposal.fields)
  const inTitles = product.inTitles.filter((title: string) => title !== left)
  return { ...proposal, fields: { ...proposal.fields, product: { inTitles } } }
}
