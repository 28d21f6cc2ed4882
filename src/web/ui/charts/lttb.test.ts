import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lttb } from '#web/ui/charts/lttb.ts'

const x = (point: [number, number]) => point[0]
const y = (point: [number, number]) => point[1]

test('a peak alone in ten thousand points survives in six hundred', () => {
  const points = Array.from({ length: 10_000 }, (_, index): [number, number] => [
    index,
    index === 6_543 ? 900 : 10,
  ])
  const kept = lttb(points, 600, x, y)
  expect(kept).toHaveLength(600)
  expect(kept.some((point) => point[1] === 900)).toBe(true)
})

test('the first and last points stay, in order, and nothing is invented', () => {
  const series = fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 1, maxLength: 300 })
  fc.assert(
    fc.property(series, fc.integer({ min: 3, max: 100 }), (values, threshold) => {
      const points = values.map((value, index): [number, number] => [index, value])
      const kept = lttb(points, threshold, x, y)
      expect(kept).toHaveLength(Math.min(points.length, threshold))
      expect(kept[0]).toBe(points[0])
      expect(kept.at(-1)).toBe(points.at(-1))
      const positions = kept.map((point) => points.indexOf(point))
      expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b))
    }),
  )
})
