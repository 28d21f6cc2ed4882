import { describe, expect, test } from 'vitest'
import { ourFile, ourRow, readPriceFile as read } from '../../../../tests/support/price-files.ts'

// Our export as Excel and LibreOffice in French save it after opening it.

const row = {
  ...ourRow,
  observed_on: '03/05/2024',
  latitude: '-1,67',
  longitude: '29,23',
  time_zone: 'Africa/Lubumbashi',
  price: '1500,5',
  flag: 'relevé',
}
const wanted = { day: '2024-05-03', instant: '2024-05-03T07:30:00.000Z', local: null, cents: 150050 }

const file = (change: Partial<typeof row> = {}) => ourFile('human', { ...row, ...change })
const eachLine = (change: (line: string, index: number) => string) =>
  file().trimEnd().split('\n').map(change).join('\n')

describe('our export, saved by a spreadsheet,', () => {
  test.each([
    ['with its days in French', file()],
    ['without a byte order mark', file().slice(1)],
    ['with carriage returns', file().replaceAll('\n', '\r\n')],
    ['with thousands apart', file({ price: '1 500,50' })],
    ['with thousands narrowly apart', file({ price: '1\u202f500,50' })],
    ['with thousands apart without a break', file({ price: '1\u00a0500,50' })],
    ['with thin spaces', file({ price: '1\u2009500,50' })],
    ['with empty columns behind the last', eachLine((line) => `${line};;;`)],
    ['with empty columns behind some rows only', eachLine((line, index) => (index > 0 ? `${line};;` : line))],
    [
      'with an empty column behind its titles only',
      eachLine((line, index) => (index > 0 ? line : `${line};;`)),
    ],
    ['with empty rows behind the last', `${file()}${`${';'.repeat(22)}\r\n`.repeat(3)}`],
    ['with an empty row before its titles', `${';'.repeat(22)}\n${file().slice(1)}`],
    ['with every cell in quotes', eachLine((line) => line.replaceAll(/[^;\ufeff]+/g, '"$&"'))],
    [
      'with a column of notes between, whose title has a separator',
      eachLine((line, index) => (index > 0 ? `a;${line}` : `"Notes; de Jean";${line.slice(1)}`)),
    ],
    [
      'with commas between the cells',
      file()
        .replaceAll(/-?\d+,\d+/g, '"$&"')
        .replaceAll(';', ','),
    ],
    ['with its capitals lost', file({ currency: 'cdf', flag: 'RELEVÉ' })],
    ['with its mark of the separator', `sep=;\r\n${file().slice(1)}`],
  ])('%s is read unchanged', (_, text) => {
    const { batch, counts } = read(text)
    expect(counts).toMatchObject({ read: 1, rejected: 0, errors: [] })
    expect(batch.prices).toMatchObject([wanted])
    expect(batch.markets).toMatchObject([{ latitude: '-1.67', longitude: '29.23' }])
  })

  test.each([
    [{ collected_at: '03/05/2024 09:30' }, '2024-05-03T09:30'],
    [{ collected_at: '03/05/2024 09:30:15' }, '2024-05-03T09:30:15'],
    [{ collected_at: '2024-05-03 09:30:15' }, '2024-05-03T09:30:15'],
    [{ collected_at: '', observed_on: '03/05/2024 09:30' }, '2024-05-03T09:30'],
    [{ collected_at: '03/05/2024' }, null],
    [{ collected_at: '' }, null],
  ])('with the times of %j has those of the market', (change, local) => {
    expect(read(file(change)).batch.prices).toMatchObject([{ day: '2024-05-03', instant: null, local }])
  })

  test.each([
    [{ observed_on: '31/02/2026' }, 'La date «\u202f31/02/2026\u202f» n’existe pas.'],
    [{ observed_on: '02/03/2026' }, 'La date «\u202f2026-03-02\u202f» est dans le futur.'],
    [{ observed_on: '05/03/24' }, 'La date «\u202f05/03/24\u202f» est illisible (aaaa-mm-jj attendu).'],
    [{ collected_at: '04/05/2024 09:30' }, /n’est pas du 2024-05-03/],
    [{ price: '1,23457E+11' }, /n’est pas un nombre/],
    [{ price: '1 50,5' }, /n’est pas un nombre/],
  ])('with %j is refused', (change, message) => {
    expect(read(file(change)).counts.errors).toEqual([
      { line: 2, message: typeof message === 'string' ? message : expect.stringMatching(message) },
    ])
  })

  test('with a value in a column without a title is refused', () => {
    expect(read(`${file().trimEnd()};;x\n`).counts).toMatchObject({ read: 1, rejected: 1 })
  })
})

test.each([
  ['5/3/2024', '2024-05-03T09:30:00+02:00', { day: '2024-05-03', readings: null }],
  ['5/3/2024', '', { readings: { dayFirst: '2024-03-05', monthFirst: '2024-05-03' } }],
])(
  'a machine-readable file whose day is %s, collected at « %s », means its instant, or what its whole column means',
  (observed_on, collected_at, told) => {
    const machine = { ...row, price: '1500.5', latitude: '-1.67', longitude: '29.23', flag: 'actual' }
    const { batch, counts } = read(ourFile('machine', { ...machine, observed_on, collected_at }))
    expect(counts).toMatchObject({ rejected: 0 })
    expect(batch.prices).toMatchObject([told])
    expect(
      read(ourFile('machine', { ...machine, observed_on: '6/3/2024', collected_at: '2024-05-03T09:30:00Z' }))
        .counts,
    ).toMatchObject({ rejected: 1 })
  },
)
