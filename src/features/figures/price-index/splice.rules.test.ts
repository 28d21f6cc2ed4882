import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { WeeklySeries } from '#features/figures/price-index/normal-equations.rules.ts'
import { fitWindow, windowWeeks } from '#features/figures/price-index/price-index.rules.ts'
import { chainLevels, changeOver, windowLevels } from '#features/figures/price-index/splice.rules.ts'
import { weighByType } from '#features/inflation/weighing.rules.ts'

const weeks = 70
const start = '2025-01-06'
const typeOf = (product: number) => product % 3

const drawnSeries = fc
  .record({
    product: fc.integer({ min: 1, max: 9 }),
    // From one quote a year to one a week, so that series start, end, and are alone in a window.
    density: fc.constantFrom(0.02, 0.2, 0.6, 1),
    draws: fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 1, max: 9, noNaN: true })),
      {
        minLength: weeks,
        maxLength: weeks,
      },
    ),
  })
  .map(({ product, density, draws }) => {
    const quoted = draws.flatMap(([chance, log], week) => (chance <= density ? [{ week, log }] : []))
    return { product, market: 1, weeks: quoted.map(({ week }) => week), logs: quoted.map(({ log }) => log) }
  })
const drawnWeights = fc.array(
  fc.record({
    type: fc.integer({ min: 0, max: 3 }),
    day: fc.constantFrom('2024-06-01', '2026-01-20', '2026-03-01'),
    weight: fc.constantFrom(0, 0.5, 3),
    source: fc.constant('Enquête'),
  }),
  { maxLength: 5 },
)

test('a window equals a fit of its own year, whatever series come, go and weigh', () => {
  fc.assert(
    fc.property(fc.array(drawnSeries, { minLength: 1, maxLength: 12 }), drawnWeights, (panel, entered) => {
      const weigh = weighByType(entered, start, typeOf)
      const asTheyAre = (series: readonly WeeklySeries[]) => series
      for (const week of [windowWeeks - 1, windowWeeks + 5, weeks - 1]) {
        const near = (levels: readonly (number | null)[]) =>
          levels.map((level) => level && expect.closeTo(level, 9))
        expect(windowLevels(panel, week)).toEqual(near(fitWindow(panel, week, asTheyAre).levels))
        const fitted = fitWindow(panel, week, weigh).levels
        const levels = windowLevels(panel, week, weigh)
        expect(levels).toEqual(near(fitted))
        const [before, after] = [fitted.at(-2) ?? null, fitted.at(-1) ?? null]
        const change = before === null || after === null ? null : after - before
        expect(changeOver(levels, 1)).toEqual(change === null ? null : expect.closeTo(change, 9))
      }
    }),
    { numRuns: 60, seed: 5 },
  )
})

test('an index does not depend on how long before its first price the period starts', () => {
  fc.assert(
    fc.property(
      fc.array(drawnSeries, { minLength: 3, maxLength: 12 }),
      fc.integer({ min: 1, max: 90 }),
      (panel, early) => {
        const later = panel.map((series) => ({ ...series, weeks: series.weeks.map((week) => week + early) }))
        const levels = chainLevels(later, weeks + early)
        const base = levels.find((level) => level !== null) ?? 0
        const own = chainLevels(panel, weeks)
        const ownBase = own.find((level) => level !== null) ?? 0
        expect(levels.slice(0, early).every((level) => level === null)).toBe(true)
        for (const [week, level] of own.entries()) {
          const other = levels[week + early] ?? null
          if (level === null || other === null) expect(other, String(week)).toBe(level)
          else expect(other - base, String(week)).toBeCloseTo(level - ownBase, 9)
        }
      },
    ),
    { numRuns: 60, seed: 5 },
  )
})
