import { expect, test } from 'vitest'
import { addDays, dayIn, dayInKinshasa, lengthInDays } from '#shared/days.ts'

test('days are added over the ends of months and years, and leap days', () => {
  expect(addDays('2024-02-28', 1)).toBe('2024-02-29')
  expect(addDays('2023-12-31', 1)).toBe('2024-01-01')
  expect(addDays('2024-03-01', -1)).toBe('2024-02-29')
})

test('both ends of a period are included', () => {
  expect(lengthInDays({ start: '2026-01-01', end: '2026-01-01' })).toBe(1)
  expect(lengthInDays({ start: '2024-01-01', end: '2024-12-31' })).toBe(366)
})

test('the day of an instant is that of the time zone', () => {
  const instant = new Date('2026-02-28T22:30:00Z')
  const zones = ['UTC', 'Africa/Kinshasa', 'Africa/Lubumbashi']
  expect(dayInKinshasa(instant.toISOString())).toBe('2026-02-28')
  expect(dayInKinshasa('2026-02-28T23:00:00.000Z')).toBe('2026-03-01')
  expect(zones.map((zone) => dayIn(zone, instant))).toEqual(['2026-02-28', '2026-02-28', '2026-03-01'])
})
