import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spreadLabels } from '#web/ui/charts/spread-labels.ts'

test('labels that do not touch are not moved', () => {
  expect(spreadLabels([20, 60, 100], 15, 0, 200)).toEqual([20, 60, 100])
})

test('labels never overlap, keep their order and stay in the frame', () => {
  const heights = fc.array(fc.double({ min: 0, max: 200, noNaN: true }), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(heights, (wanted) => {
      const placed = spreadLabels(wanted, 15, 0, 200)
      const byWanted = wanted
        .map((y, index) => ({ y, at: placed[index]! }))
        .sort((a, b) => a.y - b.y || a.at - b.at)
      for (let index = 1; index < byWanted.length; index++) {
        expect(byWanted[index]!.at - byWanted[index - 1]!.at).toBeGreaterThanOrEqual(14.99)
      }
      expect(Math.min(...placed)).toBeGreaterThanOrEqual(-0.01)
      expect(Math.max(...placed)).toBeLessThanOrEqual(200.01)
    }),
  )
})
