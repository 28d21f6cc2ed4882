import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lttb } from '#web/ui/charts/lttb.ts'

test('a peak alone in ten thousand points survives in six hundred', () => {
  const days = Array.from({ length: 10_000 }, (_, index) => index)
  const values = days.map((day) => (day === 6_543 ? 900 : 10))
  const chosen = lttb(days, values, 600)
  expect(chosen).toHaveLength(600)
  expect(chosen).toContain(6_543)
})

test('the first and last points stay, in order, and no point is invented', () => {
  const series = fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 2, maxLength: 300 })
  fc.assert(
    fc.property(series, fc.integer({ min: 2, max: 100 }), fc.nat(), (values, threshold, start) => {
      const days = values.map((_, index) => index)
      const from = start % (values.length - 1)
      const chosen = lttb(days, values, threshold, from)
      expect(chosen).toHaveLength(Math.min(values.length - from, threshold))
      expect(chosen[0]).toBe(from)
      expect(chosen.at(-1)).toBe(values.length - 1)
      expect(chosen).toEqual([...new Set(chosen)].sort((a, b) => a - b))
    }),
  )
})
