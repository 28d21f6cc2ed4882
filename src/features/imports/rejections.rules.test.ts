import { expect, test } from 'vitest'
import { rejectionList } from '#features/imports/rejections.rules.ts'

const text = ''

test('reasons and currencies are counted, the most frequent first, each with its first line', () => {
  const list = rejectionList()
  list.take({ line: 2, reason: 'Le prix est absent.', text })
  for (const [index, code] of ['XAF', 'RWF', 'XAF'].entries()) {
    list.take({ line: 3 + index, reason: `La devise «\u202f${code}\u202f».`, text, foreignCurrency: code })
  }
  expect(list.report()).toMatchObject({
    rejected: 4,
    reasons: [
      { message: 'La devise «\u202fXAF\u202f».', count: 2, example: { line: 3 } },
      { message: 'Le prix est absent.', count: 1, example: { line: 2 } },
      { message: 'La devise «\u202fRWF\u202f».', count: 1, example: { line: 4 } },
    ],
    currencies: [
      { code: 'XAF', count: 2 },
      { code: 'RWF', count: 1 },
    ],
  })
})

test('reasons that differ only in quoted values are grouped, and take no more memory than one', () => {
  const list = rejectionList()
  for (let line = 2; line < 10_002; line++) {
    list.take({ line, reason: `Le prix «\u202f${line}\u202f» n’est pas un nombre.`, text })
  }
  expect(list.report().reasons).toEqual([
    { message: 'Le prix «\u202f…\u202f» n’est pas un nombre.', count: 10_000, example: { line: 2 } },
  ])
})

test('a few of many refusals are listed, in the order of the file, and all are counted', () => {
  const list = rejectionList()
  for (let line = 20; line < 2_020; line++) list.take({ line, reason: 'Non.', text })
  // The row found last may be listed first.
  list.take({ line: 2, reason: 'Le code est pris.', text })
  const { rejected, errors } = list.report()
  expect([rejected, errors.length]).toEqual([2_001, 1_000])
})
