import { expect, test } from 'vitest'
import { guessMapping } from '#features/prices/imports/guesses.rules.ts'

const head = (...titles: string[]) => {
  const cells: Record<string, string> = {
    Date: '10/03/2025',
    Article: 'Riz local',
    Prix: '2010',
    Unité: 'kg',
  }
  return { titles, rows: Array.from({ length: 3 }, () => titles.map((title) => cells[title] ?? 'Gambela')) }
}
const fieldsOf = (...titles: string[]) => guessMapping(head(...titles), []).fields

test('the only column for a place is the market, and with one for the market it is the town', () => {
  const alone = fieldsOf('Date', 'Lieu', 'Article', 'Prix', 'Unité')
  expect(alone).toMatchObject({ market: { column: 'Lieu' }, product: { column: 'Article' } })
  expect(alone).not.toHaveProperty('location')
  expect(fieldsOf('Date', 'Lieu', 'Marché', 'Article', 'Prix', 'Unité')).toMatchObject({
    market: { column: 'Marché' },
    location: { column: 'Lieu' },
  })
})
