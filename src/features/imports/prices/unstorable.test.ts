import { expect, test } from 'vitest'
import { columnsOf, importingServer } from '../../../../tests/support/foreign-tables.ts'
import { move, readImport } from '../../../../tests/support/imports.ts'

const { admin, described, prices } = await importingServer()

test('a NUL in a title or in a cell of a described table is a space, and its rows are imported', async () => {
  const { id, proposal, rows, titles } = await described(
    'date\0;marché;produit;prix;devise;note\n2026-02-01;Zando;Sel;500;CDF;a\0b\n2026-02-02;Zando;Sel;510;CDF;c\0d\n',
  )
  expect([titles[0], rows[0]?.at(-1)]).toEqual(['date', 'a b'])
  const tried = await move(admin, id, 'map', proposal)
  expect([tried.failure, tried.report]).toMatchObject([null, { added: 2 }])
  await move(admin, id, 'confirm')
  expect(await prices()).toMatchObject([{ value: 500 }, { value: 510 }])
})

test('very long titles are cut, stay distinct, and name their columns', async () => {
  const long = 'Remarque '.repeat(80)
  // One of the titles is cut in the middle of an emoji, which has two characters.
  const emoji = ['😀', '-😀'].map((start) => start.padEnd(900, '😀'))
  const { id, proposal, titles } = await described(
    `date;marché;produit;prix;devise;${long}A;${long}B;${emoji.join(';')}\n2026-02-01;Zando;Sel;500;CDF;Kalonji;Amina;;\n`,
  )
  expect(new Set(titles).size).toBe(9)
  expect((await readImport(admin, id)).state).toBe('unmapped')
  const collector = { column: titles[6] ?? '' }
  const tried = await move(admin, id, 'map', { ...proposal, fields: { ...proposal.fields, collector } })
  expect([tried.failure, tried.report]).toMatchObject([null, { added: 1 }])
  await move(admin, id, 'confirm')
  expect(await prices()).toMatchObject([{ collector: 'Amina' }])
})

test.each(['\0', '\ud800'])(
  'a mapping with a character that cannot be stored (%j) is refused under its field',
  async (character) => {
    const { id, proposal } = await described(
      'date;marché;produit;prix;devise\n2026-02-01;Zando;Sel;500;CDF\n2026-02-02;Zando;Sel;510;CDF',
    )
    expect(columnsOf(proposal)).toMatchObject({ price: 'prix' })
    const { fields, names } = proposal
    for (const change of [
      { fields: { ...fields, [`x${character}`]: { column: 'prix' } } },
      { fields: { ...fields, collector: { column: character } } },
      { fields: { ...fields, day: { inTitles: [character] } } },
      { names: { ...names, markets: { [character]: null } } },
      { names: { ...names, products: { Sel: { id: 1, name: character } } } },
    ]) {
      const answer = await admin.post(`/api/imports/${id}/map`, { ...proposal, ...change })
      expect(answer.status, `${JSON.stringify(change)} ${answer.text}`).toBe(400)
    }
  },
)
