import { expect, test } from 'vitest'
import { matchesText } from '#web/ui/match-text.ts'

test('accents, case and the order of words do not matter', () => {
  expect(matchesText('Marché de la Liberté, Kasaï', 'kasai MARCHE')).toBe(true)
  expect(matchesText('Marché de la Liberté', 'central')).toBe(false)
  expect(matchesText('Huile d’arachide', "d'ara")).toBe(true)
  expect(matchesText('Tout', '')).toBe(true)
})
