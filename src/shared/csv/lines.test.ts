import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Line, lineReader } from '#shared/csv/lines.ts'

const encoder = new TextEncoder()

describe('lines', () => {
  test('end at line feeds, and the last one needs none', () => {
    expect(linesOf('a\nb')).toEqual([at(1, 'a'), at(2, 'b')])
    expect(linesOf('a\nb\n')).toEqual([at(1, 'a'), at(2, 'b')])
    expect(linesOf('\n\n')).toEqual([at(1, ''), at(2, '')])
    expect(linesOf('')).toEqual([])
  })

  test('include their carriage return, which a quoted cell may contain', () => {
    expect(linesOf('a\r\nb')).toEqual([at(1, 'a\r'), at(2, 'b')])
  })

  test('lose a byte order mark at the start of the file only', () => {
    expect(linesOf('\ufeffa\n\ufeffb')).toEqual([at(1, 'a'), at(2, '\ufeffb')])
  })

  test('that are not UTF-8 are reported, and the next one is read', () => {
    const latin1 = Uint8Array.from([...encoder.encode('a\nMarch'), 0xe9, ...encoder.encode('\nc')])
    expect(linesOf(latin1)).toEqual([at(1, 'a'), { line: 2, fault: 'encoding', text: 'Marché' }, at(3, 'c')])
  })

  test('may be as long as the limit, and not one byte longer', () => {
    expect(linesOf('12345678\n123456789\n1', 3, 8)).toEqual([
      at(1, '12345678'),
      { line: 2, fault: 'too-long', text: '' },
      at(3, '1'),
    ])
    expect(linesOf('123456789', 3, 8)).toEqual([{ line: 1, fault: 'too-long', text: '' }])
    expect(linesOf('123456789\n', 100, 8)).toEqual([{ line: 1, fault: 'too-long', text: '' }])
  })

  test('do not depend on a buffer that is filled again', () => {
    const reader = lineReader()
    const buffer = Buffer.from('Gom')
    const first = [...reader.read(buffer)]
    buffer.write('a\nx')
    expect([...first, ...reader.read(buffer), ...reader.end()]).toEqual([at(1, 'Goma'), at(2, 'x')])
  })

  test('are the same however the bytes are cut, whatever the bytes', () => {
    const bytes = fc.uint8Array({ maxLength: 200 }).map((values) => values.map(drawnTo))
    fc.assert(
      fc.property(bytes, fc.integer({ min: 1, max: 20 }), (values, size) => {
        expect(linesOf(values, size, 12)).toEqual(linesOf(values, 1000, 12))
      }),
    )
  })
})

const at = (line: number, text: string) => ({ line, text })

// Random bytes are seldom line feeds or halves of a letter, so some are mapped to these.
function drawnTo(byte: number): number {
  return [10, 13, 0xc3, 0xa9, 0xef, 0xbb, 0xbf, 97][byte % 12] ?? byte
}

function linesOf(source: string | Uint8Array, size = 1000, longest?: number): Line[] {
  const bytes = typeof source === 'string' ? encoder.encode(source) : source
  const reader = lineReader(longest)
  const lines: Line[] = []
  for (let start = 0; start < bytes.length; start += size) {
    lines.push(...reader.read(bytes.subarray(start, start + size)))
  }
  return [...lines, ...reader.end()]
}

test('a replacement character in the file is an ordinary letter', () => {
  const lines = lineReader()
  const bytes = Buffer.concat([
    Buffer.from('a\ufffdb\n'),
    Buffer.from([0x61, 0xff, 0x0a]),
    Buffer.from([0xe2, 0x82, 0x0a]),
  ])
  expect([...lines.read(bytes)]).toEqual([
    { line: 1, text: 'a\ufffdb' },
    { line: 2, fault: 'encoding', text: 'aÿ' },
    { line: 3, fault: 'encoding', text: 'â‚' },
  ])
})
