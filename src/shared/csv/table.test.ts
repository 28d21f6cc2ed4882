import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { UnreadableTable } from '#shared/csv/layout.ts'
import {
  ourFile,
  ourRow,
  readPriceFile as read,
  wfpFile2023,
  wfpFile2025,
} from '../../../tests/support/price-files.ts'

const encoder = new TextEncoder()

describe('a file', () => {
  test('with carriage returns, a byte order mark and blank lines can be read', () => {
    const text = `\ufeff\n${wfpFile2023({}, { market: 'Birere' })}\n\n`.replaceAll('\n', '\r\n')
    expect(read(text).counts).toMatchObject({ read: 2, rejected: 0 })
  })

  test('with the separator mark of a spreadsheet can be read', () => {
    expect(read(`sep=,\n${wfpFile2025({})}`).counts).toMatchObject({ read: 1, rejected: 0 })
  })

  test('with rows of too few or too many columns loses only these', () => {
    const text = `${wfpFile2025({}, { market: 'Birere' })}2023-03-15,Kinshasa\n${'x,'.repeat(16)}\n`
    expect(read(text).counts).toEqual({
      read: 4,
      rejected: 2,
      errors: [
        { line: 4, message: typeset('Le nombre de colonnes est faux : 2 au lieu de 16.') },
        { line: 5, message: typeset('Le nombre de colonnes est faux : 17 au lieu de 16.') },
      ],
    })
  })

  test('truncated in its last line loses only that one', () => {
    const text = wfpFile2025({}, { market: 'Birere' })
    expect(read(text.slice(0, -20)).counts).toMatchObject({ read: 2, rejected: 1 })
    const ours = ourFile('machine', ourRow, ourRow)
    for (let cut = 2; cut < 12; cut++) {
      expect(read(ours.slice(0, -cut)).counts).toMatchObject({ read: 2, rejected: 1 })
    }
  })

  test('without rows can be read, and is empty', () => {
    expect(read(wfpFile2023()).counts).toMatchObject({ read: 0, rejected: 0 })
    expect(read(wfpFile2025().trim()).counts).toMatchObject({ read: 0, rejected: 0 })
  })

  test('in UTF-8 with some invalid rows loses only these', () => {
    const [, damaged = ''] = wfpFile2025({ market: 'March\u00e9' }).split('\n')
    const bytes = [Buffer.from(wfpFile2025({ market: 'Libert\u00e9' })), Buffer.from(damaged, 'latin1')]
    expect(read(Buffer.concat(bytes)).counts).toMatchObject({ read: 2, rejected: 1, errors: [{ line: 3 }] })
  })

  test('whose only accent is half a letter of UTF-8 loses that row', () => {
    const whole = Buffer.from(wfpFile2025({}, { market: 'March\u00e9' })).toString('latin1')
    const cut = Buffer.from(whole.replace('\u00a9', ''), 'latin1')
    expect(read(cut).counts).toMatchObject({ read: 2, rejected: 1, errors: [{ line: 3 }] })
  })

  test('of WFP saved by a spreadsheet in Windows-1252 is read completely', () => {
    const bytes = Buffer.from(wfpFile2025({}, { market: 'March\u00e9' }), 'latin1')
    expect(read(bytes)).toMatchObject({
      counts: { read: 2, rejected: 0 },
      batch: { markets: [{}, { name: 'Marché' }] },
    })
  })

  test('in Windows-1252 with a Portuguese letter that begins UTF-8 ones is read completely, and one that was encoded twice is not', () => {
    const markets = ['S\u00c3O SALVADOR', 'MA\u00c7\u00c3', '\u00c3', 'IRM\u00c3S']
    const bytes = Buffer.from(wfpFile2025(...markets.map((market) => ({ market }))), 'latin1')
    expect(read(bytes)).toMatchObject({
      counts: { read: 4, rejected: 0 },
      batch: { markets: markets.map((name) => ({ name })) },
    })
    const twice = ['March\u00c3\u00a9', '\u00c3\u00a0', 'M\u00c3\u0089T\u00c3\u0089O', 'La Bo\u00c3te']
    const damaged = Buffer.from(
      wfpFile2025(...twice.map((market) => ({ market: `${market} \u00e9` }))),
      'latin1',
    )
    expect(() => read(damaged)).toThrow(/UTF-8/)
  })

  test('whose titles are in Windows-1252, as French spreadsheets save them, is read completely', () => {
    const bytes = Buffer.from(
      ourFile('human', { ...ourRow, market: 'March\u00e9 de la Libert\u00e9' })
        .slice(1)
        .replaceAll('’', '\u0092'),
      'latin1',
    )
    expect(read(bytes)).toMatchObject({
      counts: { read: 1, rejected: 0 },
      batch: { markets: [{ name: 'Marché de la Liberté' }] },
    })
  })

  test.each([
    ['is empty', '', 'Ce fichier est vide.'],
    ['holds blank lines only', '\n \n\n', 'Ce fichier est vide.'],
    ['lacks a column', wfpFile2025({}).replace(',price,', ',prix,'), /Colonne absente/],
    ['is one endless line', 'x'.repeat(2_000_000), /pas un fichier de prix/],
    ['has the line ends of another age', wfpFile2025({}).replaceAll('\n', '\r'), /Macintosh/],
    ['is something else', 'bonjour\n', /pas un fichier de prix/],
  ])('that %s is refused as a whole', (_, content, message) => {
    expect(() => read(content)).toThrow(UnreadableTable)
    expect(() => read(content)).toThrow(message)
  })

  test('of any bytes gives the same result however they are cut', () => {
    const rows = wfpFile2025({}, { market: 'Marché' }, { price: '0' }, { commodity: 'Riz, "local"' })
    const damage = fc.array(fc.tuple(fc.nat(rows.length), fc.constantFrom(0x22, 0x0a, 0x2c, 0xff, 0x0d)), {
      maxLength: 4,
    })
    fc.assert(
      fc.property(damage, fc.integer({ min: 1, max: 50 }), (changes, size) => {
        const bytes = encoder.encode(rows)
        for (const [place, byte] of changes) bytes[place] = byte
        expect(outcomeOf(bytes, size)).toEqual(outcomeOf(bytes, 10_000))
      }),
      { numRuns: 300 },
    )
  })
})

function outcomeOf(bytes: Uint8Array, size: number) {
  try {
    return read(bytes, {}, size)
  } catch (error) {
    if (error instanceof UnreadableTable) return error.message
    throw error
  }
}

/** Returns a sentence with no-break spaces within guillemets and before a colon. */
function typeset(sentence: string): string {
  return sentence.replaceAll('« ', '«\u202f').replaceAll(' »', '\u202f»').replaceAll(' :', '\u00a0:')
}
