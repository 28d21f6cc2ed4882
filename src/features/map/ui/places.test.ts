import { expect, test } from 'vitest'
import { classOf, scaleOf } from '#features/map/map.rules.ts'
import { changeText, measured, weaknessOf } from '#features/map/ui/places.ts'

type Place = Parameters<typeof changeText>[0]

test('a place is coloured by a change only when it has a trend: colour, word and figure agree', () => {
  const place = { prices: 40, series: 8, products: 8, level: null, lastDay: '2026-11-20' }
  const sound = { isLevelThin: false, isChangeThin: false, isStale: false }
  const change = { value: 0.02, margin: 0.007, from: '2026-10-19', to: '2026-11-16' }
  const risen = { ...place, ...sound, change, trend: 'up' as const }
  const untold = { ...risen, trend: null }
  const classed = (each: Place) => {
    const shown = measured(each, 'change')
    return classOf(shown, scaleOf('change', [shown]))
  }
  expect([classed(risen), changeText(risen), weaknessOf(risen, 'change')]).toEqual([
    3,
    '+2,0\u00a0% (±\u00a00,7) hausse',
    '',
  ])
  // Between the two margins, and without a margin.
  for (const each of [untold, { ...untold, change: { ...change, margin: null } }]) {
    expect([classed(each), weaknessOf(each, 'change')]).toEqual(['faint', 'tendance non établie'])
    expect(changeText(each)).not.toContain('hausse')
  }
  expect(weaknessOf({ ...untold, level: 1200 }, 'level')).toBe('')
})
