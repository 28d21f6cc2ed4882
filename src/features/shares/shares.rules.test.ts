import { expect, test } from 'vitest'
import { pictureOf, pictureOfPage } from '#features/shares/shares.rules.ts'

const page = (
  unit: string,
  rows: { name: string; value: number | null; text: string; isFaint?: boolean }[],
) =>
  pictureOfPage(
    {
      title: 'Carte des prix',
      lines: [],
      sections: [{ title: 'Par province', definition: '', rowsBehind: null, drawn: 'picture', unit, rows }],
    },
    false,
  )

test('the picture of a map of changes names the strongest change, also when it is a fall', () => {
  const rows = [
    { name: 'Kinshasa', value: 3, text: '+3,0 %' },
    { name: 'Tshopo', value: -12, text: '−12,0 %' },
    { name: 'Ituri', value: null, text: 'N/A' },
  ]
  expect(page('%', rows)).toMatchObject({ figure: '−12,0 %', note: 'Tshopo, la plus forte variation' })
  expect(page('FC', rows)).toMatchObject({ figure: '+3,0 %', note: 'Kinshasa, le plus cher' })
})

test('the picture of a map names a faint province only when all are faint, and none without a figure', () => {
  const faint = { name: 'Ituri', value: 9_000, text: '9 000 FC', isFaint: true }
  expect(page('FC', [faint, { name: 'Kinshasa', value: 2_000, text: '2 000 FC' }]).note).toBe(
    'Kinshasa, le plus cher',
  )
  expect(page('FC', [faint]).note).toBe('Ituri, le plus cher')
  expect(page('FC', [{ name: 'Ituri', value: null, text: 'N/A' }])).toMatchObject({ figure: '', note: '' })
})

test.each([
  [1, '1\u00a0relevé en un an'],
  [2, '2\u00a0relevés en un an'],
])('the source of a shared price counts %s', (count, said) => {
  const none = { change: null, trend: null }
  const figures = {
    product: { id: 1, name: 'Riz', weight: '1 kg' },
    market: { id: 1, name: 'Virunga', location: 'Goma' },
    last: null,
    month: none,
    year: none,
    points: [],
    elsewhere: null,
    madeAt: '2026-11-26T10:00:00Z',
  }
  expect(pictureOf({ ...figures, count }, false).source).toContain(said)
})
