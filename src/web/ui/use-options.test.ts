import { expect, test } from 'vitest'
import { answerTo, filterOptions } from '#web/ui/use-options.ts'

const options = [
  { value: 1, label: 'Farine de maïs' },
  { value: 2, label: 'Maïs grain', hint: 'Marché Kenya' },
  { value: 3, label: 'Riz' },
]

test('options that begin with the query come first, with or without accents', () => {
  expect(filterOptions(options, 'mais').map(({ value }) => value)).toEqual([2, 1])
})

test('the hint is searched as well', () => {
  expect(filterOptions(options, 'kenya').map(({ value }) => value)).toEqual([2])
})

test('without a query all options are listed, up to a hundred', () => {
  expect(filterOptions(options, '  ')).toHaveLength(3)
  const many = Array.from({ length: 500 }, (_, value) => ({ value, label: `Produit ${value}` }))
  expect(filterOptions(many, '')).toHaveLength(100)
})

test('while another query is loading, only the matching previous options stay', () => {
  const found = { query: 'maïs', options: options.slice(0, 2), status: 'ready' } as const
  expect(answerTo('maïs', found)).toEqual(found)
  const next = answerTo('mais g', found)
  expect(next.options.map(({ value }) => value)).toEqual([2])
  expect(next.status).toBe('loading')
  expect(answerTo('riz', found)).toEqual({ options: [], status: 'loading' })
})
