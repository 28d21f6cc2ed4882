import { expect, test } from 'vitest'
import { rejectionCounts } from '#features/imports/rejections.rules.ts'

test('reasons and currencies are counted, the most frequent first', () => {
  const counts = rejectionCounts()
  counts.take({ reason: 'Le prix est absent.' })
  for (const foreignCurrency of ['XAF', 'RWF', 'XAF']) counts.take({ reason: 'Devise.', foreignCurrency })
  expect(counts.report()).toEqual({
    reasons: [
      { message: 'Devise.', count: 3 },
      { message: 'Le prix est absent.', count: 1 },
    ],
    currencies: [
      { code: 'XAF', count: 2 },
      { code: 'RWF', count: 1 },
    ],
  })
})

test('a file with a reason for each line takes no more memory than another', () => {
  const counts = rejectionCounts()
  for (let i = 0; i < 10_000; i++) counts.take({ reason: `Le prix ${i} n’est pas un nombre.` })
  counts.take({ reason: 'Le prix 0 n’est pas un nombre.' })
  const { reasons } = counts.report()
  expect(reasons).toHaveLength(50)
  expect(reasons[0]).toEqual({ message: 'Le prix 0 n’est pas un nombre.', count: 2 })
})
