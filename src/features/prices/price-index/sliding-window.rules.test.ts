import fc from 'fast-check'
import { expect, test } from 'vitest'
import { weighByType, weightsOfTypes } from '#features/prices/inflation/weighing.rules.ts'
import { fitWindow, windowWeeks } from '#features/prices/price-index/price-index.rules.ts'
import { chainLevels, changeOver, slidingWindows } from '#features/prices/price-index/sliding-window.rules.ts'
import type { WeeklySeries } from '#features/prices/price-index/time-product-dummy.rules.ts'

const weeks = 70
const start = '2025-01-06'
const typeOf = (product: number) => product % 3

const drawnSeries = fc
  .record({
    product: fc.integer({ min: 1, max: 9 }),
    // From a quote a year to one a week, so that series come, go, and stand alone in a window.
    density: fc.constantFrom(0.02, 0.2, 0.6, 1),
    draws: fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 1, max: 9, noNaN: true })),
      {
        minLength: weeks,
        maxLength: weeks,
      },
    ),
  })
  .map(({ product, density, draws }): WeeklySeries => {
    const quoted = draws.flatMap(([chance, log], week) => (chance <= density ? [{ week, log }] : []))
    return { product, weeks: quoted.map(({ week }) => week), logs: quoted.map(({ log }) => log) }
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

test('each week is compared with a year before as a fit of its own year does, whatever comes, goes and weighs', () => {
  fc.assert(
    fc.property(fc.array(drawnSeries, { minLength: 1, maxLength: 12 }), drawnWeights, (panel, entered) => {
      const weigh = weighByType(entered, start, typeOf)
      const weighing = { groupOf: typeOf, weightsAt: weightsOfTypes(entered, start) }
      const windows = [...slidingWindows(panel, weeks, weighing)]
      expect(windows.map(({ week }) => week)).toEqual(
        Array.from({ length: weeks + 1 - windowWeeks }, (_, at) => at + windowWeeks - 1),
      )
      for (const { week, levels } of windows) {
        const fitted = fitWindow(panel, week, weigh).levels
        for (const since of [1, 20, 52]) {
          const [before, after] = [fitted[windowWeeks - 1 - since] ?? null, fitted[windowWeeks - 1] ?? null]
          const change = changeOver(levels, since)
          if (before === null || after === null) expect(change, String(week)).toBeNull()
          else expect(change, String(week)).toBeCloseTo(after - before, 9)
        }
      }
    }),
    { numRuns: 60, seed: 5 },
  )
})

test('an index is the same however long before its first price it is asked from', () => {
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
