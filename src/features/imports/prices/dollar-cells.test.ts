import { expect, test } from 'vitest'
import { archive, type Entry, workbookParts } from '../../../../tests/support/archives.ts'
import { columnsOf, importingServer } from '../../../../tests/support/foreign-tables.ts'
import { move } from '../../../../tests/support/imports.ts'

const { admin, described, prices } = await importingServer()

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
const styles: Entry = {
  name: 'xl/styles.xml',
  content:
    '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="&quot;$&quot;#,##0.00"/></numFmts><cellXfs><xf/><xf numFmtId="164"/></cellXfs></styleSheet>',
}
const workbook = (...priceCells: string[]) =>
  archive([
    ...workbookParts(
      [
        ['Date', 'Marché', 'Produit', 'Prix'].map(text).join(''),
        ...priceCells.map((cell, at) => [`2026-03-0${at + 1}`, 'Zando', 'Ciment'].map(text).join('') + cell),
      ]
        .map((cells) => `<row>${cells}</row>`)
        .join(''),
    ),
    styles,
  ])
const dollars = (value: number) => `<c s="1"><v>${value}</v></c>`
const plain = (value: number) => `<c><v>${value}</v></c>`

test('cells formatted as dollars are proposed and read as dollars', async () => {
  const { id, proposal } = await described(workbook(dollars(13.5), dollars(14)))
  expect(columnsOf(proposal)).toMatchObject({ price: 'Prix', currency: '= USD' })
  await move(admin, id, 'map', proposal)
  await move(admin, id, 'confirm')
  expect(await prices()).toMatchObject([
    { value: 13.5, currency: 'USD' },
    { value: 14, currency: 'USD' },
  ])
})

test('a dollar cell among francs is refused with its reason, never read as francs', async () => {
  const { id, proposal } = await described(workbook(plain(38_500), plain(38_000), dollars(13.5)))
  expect(columnsOf(proposal)).toMatchObject({ currency: '= CDF' })
  const { report } = await move(admin, id, 'map', proposal)
  expect(report).toMatchObject({
    added: 2,
    rejected: 1,
    errors: [{ line: 4, message: 'Le prix «\u202f13.5 USD\u202f» n’est pas en CDF.' }],
  })
})
