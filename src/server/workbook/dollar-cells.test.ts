import { expect, test } from 'vitest'
import { readWorkbook } from '#server/workbook/read-workbook.ts'
import { archive, type Entry, workbookParts } from '../../../tests/support/archives.ts'

const codes = [
  '#,##0.00',
  '&quot;$&quot;#,##0.00',
  '[$$-409]#,##0.00',
  '#,##0.00\\ [$USD]',
  '#,##0\\ [$US$-409]',
  '_-* #,##0.00\\ &quot;FC&quot;_-',
  '[$-409]#,##0',
  '\\$#,##0;[Red]-\\$#,##0',
  '#,##0\\ [$CDF]',
]
const styles: Entry = {
  name: 'xl/styles.xml',
  content: `<styleSheet><numFmts>${codes.map((code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code}"/>`).join('')}</numFmts><cellStyleXfs><xf numFmtId="44"/></cellStyleXfs><cellXfs><xf/>${codes.map((_, at) => `<xf numFmtId="${164 + at}"><alignment/></xf>`).join('')}<xf numFmtId="44"/><xf numFmtId="4"/></cellXfs></styleSheet>`,
}
const cell = (style: number, at = '') => `<c${at && ` r="${at}"`} s="${style}"><v>2.5</v></c>`

async function rowsOf(sheetData: string): Promise<(readonly string[])[]> {
  const rows: (readonly string[])[] = []
  for await (const { rows: some } of readWorkbook(archive([...workbookParts(sheetData), styles])))
    rows.push(...some.map(({ cells }) => cells))
  return rows
}

test('a number with a format of dollars is read with them, in any notation of the format', async () => {
  const all = Array.from({ length: codes.length + 3 }, (_, style) => cell(style)).join('')
  expect(await rowsOf(`<row>${all}</row>`)).toEqual([
    [
      '2.5',
      '2.5',
      '2.5 USD',
      '2.5 USD',
      '2.5 USD',
      '2.5 USD',
      '2.5',
      '2.5',
      '2.5 USD',
      '2.5',
      '2.5 USD',
      '2.5',
    ],
  ])
})

test('each cell has its own format, in sheets that omit rows, columns or their numbers', async () => {
  const text = '<c r="A1" t="inlineStr" s="2"><is><t>Prix</t></is></c>'
  expect(
    await rowsOf(
      `<row r="1">${text}</row><row r="4">${cell(2, 'B4')}${cell(1, 'D4')}</row><row>${cell(1)}${cell(3)}</row><row/><row r="9">${cell(0, 'A9')}</row>`,
    ),
  ).toEqual(expect.arrayContaining([['Prix'], ['', '2.5 USD', '', '2.5'], ['2.5', '2.5 USD'], ['2.5']]))
})
