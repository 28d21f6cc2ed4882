import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Line, lineReader } from '#shared/csv/lines.ts'
import { type CsvRecord, recordReader } from '#shared/csv/records.ts'
import { csvLine } from '../../../tests/support/price-files.ts'
import { growth } from '../../../tests/support/proportion.ts'

const encoder = new TextEncoder()

describe('a row', () => {
  test('is cut at the separator, without its carriage return', () => {
    expect(recordsOf('a,b,c\r\n,,\r\n')).toEqual([row(1, 'a', 'b', 'c'), row(2, '', '', '')])
    expect(recordsOf('a;b,c\n', ';', 2)).toEqual([row(1, 'a', 'b,c')])
  })

  test('may contain quoted cells, with separators and doubled quotes', () => {
    expect(recordsOf('1,"Rice (mixed, low quality)",2\n')).toEqual([
      row(1, '1', 'Rice (mixed, low quality)', '2'),
    ])
    expect(recordsOf('"",""" ""","a""b"\r\n')).toEqual([row(1, '', '" "', 'a"b')])
  })

  test('preserves the quotes within a cell that does not start with one', () => {
    expect(recordsOf('1,Riz "local",5"\n')).toEqual([row(1, '1', 'Riz "local"', '5"')])
  })

  test('may span lines within quotes, and counts them', () => {
    expect(recordsOf('1,"a\r\n\n\nb",2\r\nx,y,z')).toEqual([
      row(1, '1', 'a\r\n\n\nb', '2'),
      row(5, 'x', 'y', 'z'),
    ])
  })

  test('is not a blank line', () => {
    expect(recordsOf('a,b,c\n\n  \r\n\nd,e,f\n')).toEqual([row(1, 'a', 'b', 'c'), row(5, 'd', 'e', 'f')])
  })
})

describe('a quote that is never closed', () => {
  test('invalidates its own line, not those that follow', () => {
    expect(recordsOf('1,"a,2\nx,y,z\nu,v,w\n')).toEqual([
      unclosed(1),
      row(2, 'x', 'y', 'z'),
      row(3, 'u', 'v', 'w'),
    ])
  })

  test('invalidates its own line when a later line has quotes', () => {
    expect(recordsOf('1,"a,2\nx,"y",z\n"u",v,w\n')).toEqual([
      unclosed(1),
      row(2, 'x', 'y', 'z'),
      row(3, 'u', 'v', 'w'),
    ])
  })

  test('invalidates the last line when the file was cut there', () => {
    expect(recordsOf('1,2,3\n1,"a')).toEqual([row(1, '1', '2', '3'), unclosed(2)])
  })

  test('invalidates its own line when the row would get too long', () => {
    const filler = 'x,y,z\n'.repeat(10)
    const [first, ...others] = recordsOf(`1,"a\n${filler}b",2\n`, ',', 3, 30)
    expect(first).toEqual(unclosed(1))
    expect(others).toHaveLength(11)
    expect(others.at(-1)).toEqual(row(12, 'b"', '2'))
  })

  test('is closed by a line that cannot be read', () => {
    const reader = recordReader(',', 3)
    const lines = [
      { line: 1, text: '1,"a' },
      { line: 2, fault: 'encoding' as const, text: '' },
      { line: 3, text: 'b",2,3' },
    ]
    const records = [...lines.flatMap((line) => [...reader.take(line)]), ...reader.end()]
    expect(withoutTexts(records)).toEqual([
      unclosed(1),
      { line: 2, fault: 'encoding' },
      row(3, 'b"', '2', '3'),
    ])
  })
})

describe('a quote in the wrong place', () => {
  test('is reported, and the next line is read', () => {
    expect(recordsOf('1,"a"b,2\nx,y,z\n')).toEqual([{ line: 1, fault: 'stray-quote' }, row(2, 'x', 'y', 'z')])
  })
})

describe('any file', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'é', ' ', ',', '"', '\n', '\r', "'"), maxLength: 6 })
  const rows = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { maxLength: 8 })

  test('gives the cells that were written, however its bytes are cut', () => {
    fc.assert(
      fc.property(
        rows,
        fc.constantFrom('\n', '\r\n'),
        fc.integer({ min: 1, max: 9 }),
        (table, lineBreak, size) => {
          const filled = table.filter((cells) => cells.some((each) => each.trim() !== ''))
          const text = filled.map((cells) => csvLine(cells, ',', lineBreak)).join('')
          expect(cellsOf(recordsOf(text, ',', 3, 1000, size))).toEqual(filled)
        },
      ),
    )
  })

  test('gives the same records however its bytes are cut, and accounts for every line that is not blank', () => {
    const hostile = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', 'é'), maxLength: 60 })
    fc.assert(
      fc.property(hostile, fc.integer({ min: 1, max: 9 }), (text, size) => {
        const records = recordsOf(text, ',', 3, 20, size)
        expect(records).toEqual(recordsOf(text, ',', 3, 20, 1000))
        const numbers = records.map(({ line }) => line)
        expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
      }),
      { numRuns: 1000 },
    )
  })

  test.each([
    ['open a quote in every line', '1,"a,2\n'],
    ['close one and open another in every line', 'x","y\n'],
    ['fill a row with doubled quotes', '""""""\n'],
  ])('takes time in proportion to its size when it is made to %s', (_, line) => {
    const grown = growth(5_000, (lines) => {
      expect(recordsOf(`1,"a\n${line.repeat(lines)}`).length).toBeGreaterThan(0)
    })
    expect(grown).toBeLessThan(64)
  })
})

const row = (line: number, ...cells: string[]) => ({ line, cells })
const unclosed = (line: number) => ({ line, fault: 'unclosed-quote' })

function cellsOf(records: ReturnType<typeof withoutTexts>) {
  return records.map((record) => ('cells' in record ? record.cells : record.fault))
}

function recordsOf(text: string, separator = ',', width = 3, longest?: number, size = 100_000) {
  const bytes = encoder.encode(text)
  const lines = lineReader()
  const records = recordReader(separator, width, longest)
  const found: CsvRecord[] = []
  const take = (line: Line) => {
    for (const record of records.take(line)) found.push(record)
  }
  for (let start = 0; start < bytes.length; start += size) {
    for (const line of lines.read(bytes.subarray(start, start + size))) take(line)
  }
  for (const line of lines.end()) take(line)
  return withoutTexts([...found, ...records.end()])
}

// The text of a faulty row is the line that was read.
function withoutTexts(records: CsvRecord[]) {
  return records.map((record) => ('cells' in record ? record : { line: record.line, fault: record.fault }))
}
