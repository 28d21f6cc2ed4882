import { expect, test } from 'vitest'
import { isWholeDay } from '#web/forms/day-filter.tsx'

test('a day whose year is still being typed is not applied', () => {
  const typed = ['0002-01-15', '0020-01-15', '0202-01-15', '2026-01-15', '']
  expect(typed.map(isWholeDay)).toEqual([false, false, false, true, true])
})
