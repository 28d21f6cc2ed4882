import { expect, test } from 'vitest'
import { countChangeText } from '#web/ui/count-change.ts'

test('a changed count is described in words, without arrow or colour', () => {
  const words = ['relevé', 'relevés'] as const
  const said = (difference: number | null) => countChangeText(difference, words, 'la période précédente')
  expect(said(14)).toBe('14 relevés de plus que la période précédente')
  expect(said(-1)).toBe('1 relevé de moins que la période précédente')
  expect(said(0)).toBe('autant que la période précédente')
  expect(said(null)).toBe('N/A')
  expect(countChangeText(2, words, 'hier')).toBe('2 relevés de plus qu’hier')
})
