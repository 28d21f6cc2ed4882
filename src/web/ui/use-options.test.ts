import { expect, test } from 'vitest'
import { answerTo, filterOptions } from '#web/ui/use-options.ts'

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

test('while another query is asked, only what matches it stays of what was found before', () => {
  const found = { query: 'maïs', options: options.slice(0, 2), status: 'ready' } as const
  expect(answerTo('maïs', found)).toEqual(found)
  const next = answerTo('mais g', found)
  expect(next.options.map(({ value }) => value)).toEqual([2])
  expect(next.status).toBe('loading')
  expect(answerTo('riz', found)).toEqual({ options: [], status: 'loading' })
})
