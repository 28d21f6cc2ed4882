import { expect, test } from 'vitest'
import { smallCurve } from '#shared/small-curve.ts'

const days = (values: readonly number[]) =>
  values.map((value, i) => ({ date: `2026-03-${String(i + 1).padStart(2, '0')}`, value }))
const usual = Array.from({ length: 20 }, (_, i) => 2000 + 10 * i)

test('a typing error is drawn at the edge, too high or too low, and does not flatten the curve', () => {
  for (const [slip, edge] of [
    [20_000, 1],
    [200, 0],
  ] as const) {
    const curve = smallCurve(days(usual.with(7, slip)))
    expect([curve?.lowest, curve?.highest]).toEqual([2000, 2190])
    expect(curve?.segments[0]?.[7]?.[1]).toBe(edge)
    expect(curve?.segments[0]?.[0]?.[1]).toBeCloseTo(0.04)
    expect(curve?.segments[0]?.at(-1)?.[1]).toBeCloseTo(0.96)
  }
})

test('a price that stays at a new level is no typing error: the whole curve is drawn', () => {
  const risen = [...usual, ...usual.map((value) => 4 * value)].slice(10, 36)
  expect(smallCurve(days(risen))).toMatchObject({ lowest: 2100, highest: 8600 })
})

test('a threshold is drawn when it is near enough not to flatten the curve', () => {
  expect(smallCurve(days(usual), 2400)?.level).toBeCloseTo(0.96)
  for (const far of [20_000, 200, null]) expect(smallCurve(days(usual), far)?.level).toBeNull()
})

test('a silence of more than 14 days is a gap, and one day draws nothing', () => {
  const points = ['2026-03-01', '2026-03-15', '2026-03-30'].map((date) => ({ date, value: 100 }))
  expect(smallCurve(points)?.segments.map((stretch) => stretch.length)).toEqual([2, 1])
  expect(smallCurve(points)?.segments[0]?.[0]?.[1]).toBe(0.5)
  expect(smallCurve(points.slice(0, 1))).toBeNull()
})
