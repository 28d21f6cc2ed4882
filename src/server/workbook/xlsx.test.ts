import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readWorkbook, readZip } from '../../../tests/support/workbooks.ts'
import { writeXlsx, xlsxCells } from './xlsx.ts'

const columns = [
  { title: 'Produit & marque', width: 20 },
  { title: 'Prix', width: 10 },
]

async function* inBatches(...batches: string[][]) {
  yield* batches
}

async function bytesOf(batches: AsyncIterable<readonly string[]>, name = 'Prix'): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of writeXlsx({ name, columns }, batches)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

describe('a workbook', () => {
  test('contains its titles and its rows, each cell with its type', async () => {
    const row = xlsxCells.row([
      xlsxCells.text('Riz'),
      xlsxCells.amount('1500.50'),
      xlsxCells.number('-4.3'),
      xlsxCells.day('2026-01-15'),
      xlsxCells.instant('2026-01-15T18:00:00'),
      xlsxCells.text(null),
      xlsxCells.number(null),
    ])
    const [sheet] = readWorkbook(await bytesOf(inBatches([row])))
    expect(sheet).toEqual({
      name: 'Prix',
      rows: [
        ['Produit & marque', 'Prix'],
        [
          'Riz',
          { value: 1500.5, style: 4 },
          { value: -4.3, style: 0 },
          { value: 46037, style: 2 },
          { value: 46037.75, style: 3 },
          null,
          null,
        ],
      ],
    })
  })

  test('stores any text unchanged, formulas included', async () => {
    const texts = fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }), { minLength: 1 })
    const hostile = [
      '=1+1',
      '@SUM(A1)',
      '_x000D_',
      '_x005F_',
      '</t></is></c>',
      '&amp;',
      '\r',
      '\t',
      'a\r\nb',
      '\ufffe',
    ]
    const check = async (values: string[]) => {
      const given = values.filter((value) => value.isWellFormed())
      const rows = given.map((value) => xlsxCells.row([xlsxCells.text(value)]))
      const [sheet] = readWorkbook(await bytesOf(inBatches(rows)))
      expect(sheet?.rows.slice(1).map(([cell]) => cell)).toEqual(given)
    }
    await check(hostile)
    await fc.assert(fc.asyncProperty(texts, check), { numRuns: 30, seed: 1 })
  })

  test('cuts a text that is longer than a cell may be', async () => {
    const text = `${'x'.repeat(32_765)}😀`
    const rows = [text, `${text}…`].map((value) => xlsxCells.row([xlsxCells.text(value)]))
    const [sheet] = readWorkbook(await bytesOf(inBatches(rows)))
    expect(sheet?.rows.slice(1).map(([cell]) => cell)).toEqual([text, `${'x'.repeat(32_765)}\ufffd…`])
  })

  test('without a row has its titles', async () => {
    const [sheet] = readWorkbook(await bytesOf(inBatches()))
    expect(sheet?.rows).toEqual([['Produit & marque', 'Prix']])
  })

  test('continues in another sheet when there are too many rows for one', async () => {
    const row = xlsxCells.row([xlsxCells.number('1')])
    const many = Array.from({ length: 524_288 }, () => row)
    const files = readZip(await bytesOf(inBatches(many, many, [row, row])))
    const rowsOf = (sheet: number) => files.get(`xl/worksheets/sheet${sheet}.xml`)?.split('<row>').length
    expect([rowsOf(1), rowsOf(2), rowsOf(3)]).toEqual([1_048_577, 5, undefined])
    expect(files.get('xl/workbook.xml')).toContain('<sheet name="Prix (2)"')
  })

  test('exactly as long as a sheet has no second one', async () => {
    const row = xlsxCells.row([xlsxCells.number('1')])
    const files = readZip(await bytesOf(inBatches(Array.from({ length: 1_048_575 }, () => row))))
    expect([...files.keys()].filter((name) => name.includes('worksheets'))).toHaveLength(1)
  })

  test('shows a day before March 1900, which spreadsheets count wrong, as a text', async () => {
    const rows = ['1900-02-28', '1900-03-01'].map((day) => xlsxCells.row([xlsxCells.day(day)]))
    const [sheet] = readWorkbook(await bytesOf(inBatches(rows)))
    expect(sheet?.rows.slice(1)).toEqual([['1900-02-28'], [{ value: 61, style: 2 }]])
  })

  test('whose rows fail is not finished', async () => {
    async function* failing() {
      yield [xlsxCells.row([])]
      throw new Error('the database is gone')
    }
    await expect(bytesOf(failing())).rejects.toThrow('the database is gone')
  })

  test('that is not read to its end releases its rows', async () => {
    let isReleased = false
    async function* endless() {
      try {
        for (;;)
          yield Array.from({ length: 1000 }, (_, i) => xlsxCells.row([xlsxCells.number(String(i * 7919))]))
      } finally {
        isReleased = true
      }
    }
    let length = 0
    for await (const chunk of writeXlsx({ name: 'Prix', columns }, endless())) {
      length += chunk.length
      if (length > 200_000) break
    }
    await expect.poll(() => isReleased).toBe(true)
  })
})
