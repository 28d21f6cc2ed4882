import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, cutInWeeks, lengthInDays, type Period } from '#features/prices/rollups/rollups.rules.ts'

test('days are added over the ends of months and years, and leap days', () => {
  expect(addDays('2024-02-28', 1)).toBe('2024-02-29')
  expect(addDays('2023-12-31', 1)).toBe('2024-01-01')
  expect(addDays('2024-03-01', -1)).toBe('2024-02-29')
})

test('both ends of a period count', () => {
  expect(lengthInDays({ start: '2026-01-01', end: '2026-01-01' })).toBe(1)
  expect(lengthInDays({ start: '2024-01-01', end: '2024-12-31' })).toBe(366)
})

describe('a period is cut into whole weeks and the days around them', () => {
  test.each<[string, Period, ReturnType<typeof cutInWeeks>]>([
    [
      'one whole week',
      { start: '2026-01-05', end: '2026-01-11' },
      { weeks: { start: '2026-01-05', end: '2026-01-05' }, rest: [] },
    ],
    [
      'less than a week',
      { start: '2026-01-06', end: '2026-01-11' },
      { weeks: null, rest: [{ start: '2026-01-06', end: '2026-01-11' }] },
    ],
    [
      'twelve days without a whole week',
      { start: '2026-01-06', end: '2026-01-17' },
      { weeks: null, rest: [{ start: '2026-01-06', end: '2026-01-17' }] },
    ],
    [
      'days on both sides',
      { start: '2026-01-04', end: '2026-01-19' },
      {
        weeks: { start: '2026-01-05', end: '2026-01-12' },
        rest: [
          { start: '2026-01-04', end: '2026-01-04' },
          { start: '2026-01-19', end: '2026-01-19' },
        ],
      },
    ],
  ])('%s', (_what, period, cut) => {
    expect(cutInWeeks(period)).toEqual(cut)
  })

  test('which make up the period, each day once', () => {
    const periods = fc.tuple(fc.integer({ min: 0, max: 3000 }), fc.integer({ min: 0, max: 60 }))
    const check = ([start, length]: [number, number]) => {
      const period = { start: addDays('2020-01-01', start), end: addDays('2020-01-01', start + length) }
      const { weeks, rest } = cutInWeeks(period)
      const days = rest.flatMap((part) => daysOf(part))
      if (weeks) days.push(...daysOf({ start: weeks.start, end: addDays(weeks.end, 6) }))
      expect(days.sort()).toEqual(daysOf(period))
      for (const monday of weeks ? [weeks.start, weeks.end] : []) expect(new Date(monday).getUTCDay()).toBe(1)
      for (const part of rest) if (weeks) expect(lengthInDays(part)).toBeLessThan(7)
    }
    fc.assert(fc.property(periods, check), { seed: 1 })
  })
})

function daysOf(period: Period): string[] {
  return Array.from({ length: lengthInDays(period) }, (_, i) => addDays(period.start, i))
}
