import { expect, test } from 'vitest'
import { linearScale, niceTicks } from '#shared/linear-scale.ts'

test.each<[[number, number], number, number[]]>([
  [[0, 100], 5, [0, 20, 40, 60, 80, 100]],
  [[10_312, 28_977], 5, [10_000, 15_000, 20_000, 25_000, 30_000]],
  [[0.12, 0.31], 3, [0.1, 0.15, 0.2, 0.25, 0.3, 0.35]],
  [[-3, 7], 5, [-4, -2, 0, 2, 4, 6, 8]],
  [[0, 99_999_999_999.99], 5, [0, 2e10, 4e10, 6e10, 8e10, 1e11]],
  [[5, 5], 5, [5, 6]],
])('the ticks around %j, about %i steps, are round and contain it', (range, count, ticks) => {
  expect(niceTicks(range, count)).toEqual(ticks)
})

test('a scale maps its ends onto the ends of the other range, and a single number onto the middle', () => {
  const scale = linearScale([10, 20], [200, 0])
  expect([scale(10), scale(15), scale(20)]).toEqual([200, 100, 0])
  expect(linearScale([3, 3], [0, 10])(3)).toBe(5)
})
