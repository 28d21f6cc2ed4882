import { expect, test } from 'vitest'
import { isInOrder, isWholeDay } from '#web/forms/day-filter.tsx'

test('a day whose year is still being typed is not applied', () => {
  const typed = ['0002-01-15', '0020-01-15', '0202-01-15', '2026-01-15', '']
  expect(typed.map(isWholeDay)).toEqual([false, false, false, true, true])
})

test('a day is compared with the other one of the address, unless the page ignores that one', () => {
  const end = { endDate: '2026-01-15' }
  expect(isInOrder({ startDate: '2026-01-16' }, end)).toBe(false)
  for (const startDate of ['2026-01-15', 'hier', '2026-99-99', 2026, '', undefined])
    expect(isInOrder({ startDate }, end), String(startDate)).toBe(true)
  expect(isInOrder(end, { startDate: '2026-01-16' })).toBe(false)
  expect(isInOrder({ endDate: 'demain' }, { startDate: '2026-01-16' })).toBe(true)
})
