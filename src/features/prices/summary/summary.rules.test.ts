import { describe, expect, test } from 'vitest'
import { estimateInflation, thirdsOf, trendOf } from '#features/prices/summary/summary.rules.ts'

/** The logarithm of a price as the database adds it. */
const log = (price: number) => Math.log(price) * 1e12

describe('the thirds of a period', () => {
  test.each([
    [1, '2026-01-01', '2026-01-01', '2026-01-01'],
    [2, '2026-01-02', '2026-01-01', '2026-01-02'],
    [3, '2026-01-03', '2026-01-01', '2026-01-03'],
    [5, '2026-01-05', '2026-01-01', '2026-01-05'],
    [6, '2026-01-06', '2026-01-02', '2026-01-05'],
    [90, '2026-03-31', '2026-01-30', '2026-03-02'],
    [91, '2026-04-01', '2026-01-30', '2026-03-03'],
    [365, '2026-12-31', '2026-05-01', '2026-09-02'],
  ])('of %i days, to %s, end on %s and start on %s', (_days, end, firstEnd, lastStart) => {
    expect(thirdsOf({ start: '2026-01-01', end })).toEqual({
      first: { start: '2026-01-01', end: firstEnd },
      last: { start: lastStart, end },
    })
  })
})

describe('estimated inflation', () => {
  test('is the exponential of the mean log change, minus 1', () => {
    const meanLogChange = (log(121 / 100) + log(1)) / 2
    expect(estimateInflation(2, { matchedSeries: 2, meanLogChange })).toBeCloseTo(0.1, 12)
  })

  test('of prices that did not move is exactly zero', () => {
    expect(estimateInflation(2, { matchedSeries: 4, meanLogChange: 0 })).toBe(0)
  })

  test('of a tiny change keeps its digits', () => {
    expect(estimateInflation(9, { matchedSeries: 1, meanLogChange: log(1 + 1e-9) })).toBeCloseTo(1e-9, 15)
  })

  test.each([
    ['one daily point', 1, { matchedSeries: 3, meanLogChange: 5 }],
    ['no daily point', 0, { matchedSeries: 0, meanLogChange: null }],
    ['no matched series', 9, { matchedSeries: 0, meanLogChange: null }],
  ])('is insufficient with %s', (_what, points, movement) => {
    expect(estimateInflation(points, movement)).toBeNull()
  })
})

test.each([
  [0.0101, 'up'],
  [0.01, 'stable'],
  [0, 'stable'],
  [-0.01, 'stable'],
  [-0.0101, 'down'],
  [5, 'up'],
  [null, 'stable'],
] as const)('an inflation of %d is a trend %s', (inflation, trend) => {
  expect(trendOf(inflation)).toBe(trend)
})
