import { expect, test } from 'vitest'
import { filterOptions } from '#web/ui/use-options.ts'

const options = [
  { value: 1, label: 'Farine de maïs' },
  { value: 2, label: 'Maïs grain', hint: 'Marché Kenya' },
  { value: 3, label: 'Riz' },
]

test('what begins with the query comes first, accents or not', () => {
  expect(filterOptions(options, 'mais').map(({ value }) => value)).toEqual([2, 1])
})

test('the hint is searched as well', () => {
  expect(filterOptions(options, 'kenya').map(({ value }) => value)).toEqual([2])
})

test('without a query everything is there, up to a hundred', () => {
  expect(filterOptions(options, '  ')).toHaveLength(3)
  const many = Array.from({ length: 500 }, (_, value) => ({ value, label: `Produit ${value}` }))
  expect(filterOptions(many, '')).toHaveLength(100)
})
