import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { readTable } from '#server/files/read-table.ts'
import type { TableKind } from '#shared/csv/layout.ts'
import { bytesOf } from '../../../tests/support/price-files.ts'

const columns = ['a', 'b', 'c'].map((key) => ({ key, titles: [key], isRequired: true }))
const kind: TableKind = {
  name: 'un tableau',
  titled: 'a, b, c',
  formats: [{ name: 'plain', isFrench: false, isGuarded: false, columns }],
}

async function read(source: AsyncIterable<Uint8Array>) {
  let rows = 0
  let faults = 0
  for await (const batch of readTable(source, kind)) {
    rows += batch.rows.length
    faults += batch.rows.filter((row) => 'fault' in row).length
  }
  return { rows, faults }
}

describe('a file that is not a table is refused with what to do, by its first bytes:', () => {
  test.each([
    ['UTF-16 with its mark', [0xff, 0xfe, 0x64, 0], 'UTF-16'],
    ['UTF-16 the other way round', [0xfe, 0xff, 0, 0x64], 'UTF-16'],
    ['UTF-16 without a mark', [0x64, 0, 0x61, 0], 'UTF-16'],
    ['a PDF', [0x25, 0x50, 0x44, 0x46], 'une image ou un PDF'],
    ['an old workbook', [0xd0, 0xcf, 0x11, 0xe0], 'classeur'],
    ['a compressed file', [0x1f, 0x8b, 8], 'gzip'],
    ['nothing', [], 'vide'],
  ])('%s', async (_, bytes, word) => {
    await expect(read(bytesOf(Uint8Array.from(bytes)))).rejects.toThrow(word)
  })
})

test.each([
  ['is refused by its first bytes', Buffer.from([0xff, 0xfe, 0x64, 0])],
  ['has no such columns', Buffer.from('x,y\n1,2\n3,4\n')],
  ['is a workbook that is none', Buffer.from('PK\u0003\u0004 and no more')],
  ['is read to its end', Buffer.from('a,b,c\n1,2,3\n')],
])('the source of a file that %s is closed', async (_, bytes) => {
  let isOpen = true
  async function* source() {
    try {
      yield bytes
      yield Buffer.from('4,5,6\n')
    } finally {
      isOpen = false
    }
  }
  await read(source()).catch(() => {})
  expect(isOpen).toBe(false)
})

describe('the event loop gets its turn', () => {
  test.each<[string, string | Buffer]>([
    ['lines that are no UTF-8', Buffer.from([0xff, 0xfe, 0x0a])],
    ['lines of the wrong width', 'x\n'],
    ['lines of one quote', '"\n'],
    ['blank lines', '\n'],
  ])('while a file of %s is read', async (_, line) => {
    const piece = Buffer.alloc(768 * 1024, line)
    async function* source() {
      yield Buffer.from('a,b,c\n1,2,3\n')
      for (let n = 0; n < 2; n++) yield piece
    }
    // A clock that advances by the length of a turn at each reading.
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 10))
    onTestFinished(() => clock.mockRestore())
    let turns = 0
    const count = () => {
      turns += 1
      turn = setImmediate(count)
    }
    let turn = setImmediate(count)
    const { rows } = await read(source())
    clearImmediate(turn)
    expect(rows).toBeGreaterThan(0)
    // 1.5 MB: a turn after each 5 kB at most.
    expect(turns).toBeGreaterThan(300)
  })
})
