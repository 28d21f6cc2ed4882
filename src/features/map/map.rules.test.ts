import { expect, test } from 'vitest'
import { classOf, type MeasuredPlace, scaleOf, spreadPoints } from './map.rules.ts'

const solid = (value: number | null, isStable = false): MeasuredPlace => ({ value, isFaint: false, isStable })

test('levels fall into classes of similar size, with limits of two digits', () => {
  const places = Array.from({ length: 20 }, (_, i) => solid(1_000 + 103 * i))
  const scale = scaleOf('level', places)
  expect(scale.limits).toEqual([1400, 1800, 2200, 2600])
  const classes = places.map((place) => classOf(place, scale))
  expect(classes).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4])
})

test('few or equal levels make fewer classes, and the extremes have the extreme shades', () => {
  const two = scaleOf('level', [solid(1000), solid(2000)])
  expect(two.limits).toEqual([2000])
  expect([solid(1000), solid(2000)].map((place) => classOf(place, two))).toEqual([0, 4])
  const same = scaleOf('level', [solid(1000), solid(1001)])
  expect(same.limits).toEqual([])
  expect(classOf(solid(1000), same)).toBe(2)
  expect(scaleOf('level', []).limits).toEqual([])
})

test('changes are classed as rises and falls, each with a stronger half, and stable in between', () => {
  const places = [solid(0.04), solid(-0.02), solid(0.3), solid(0.002, true), solid(-0.12)]
  const scale = scaleOf('change', places)
  expect(scale.limits).toEqual([0.12])
  expect(places.map((place) => classOf(place, scale))).toEqual([3, 1, 4, 2, 0])
})

test('a thin or old place is faint whatever its value and does not affect the scale; one without a value is empty', () => {
  const faint = { value: 9_999, isFaint: true, isStable: false }
  expect(scaleOf('level', [solid(1000), solid(2000), faint]).limits).toEqual([2000])
  expect(classOf(faint, { measure: 'level', limits: [2000] })).toBe('faint')
  expect(classOf(solid(null), { measure: 'level', limits: [2000] })).toBe('none')
})

test('overlapping points of one town are moved apart, always the same way, and the others are not moved', () => {
  const town = Array.from({ length: 6 }, (_, i) => ({ x: 10, y: 20, key: i }))
  const far = { x: 500, y: 500, key: 9 }
  const moved = spreadPoints([...town, far], 30)
  for (const [i, a] of moved.entries())
    for (const b of moved.slice(i + 1)) expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThan(29)
  expect(moved.at(-1)).toEqual(far)
  for (const { x, y } of moved.slice(0, 6)) expect(Math.hypot(x - 10, y - 20)).toBeLessThan(60)
  expect(spreadPoints([...town, far], 30)).toEqual(moved)
})
