import { expect, test } from 'vitest'
import { trendOfMeasure } from '#features/prices/inflation/ui/shown.ts'

test('a pace goes where the cumulative change goes, and nothing is said to move within its margin or within 1 %', () => {
  const between = { from: '2025-12-22', to: '2026-11-16' }
  const changes = {
    weekly: { ...between, value: 0.008, margin: 0.001 },
    cumulative: { ...between, value: 0.09, margin: 0.11 },
    annualised: { ...between, value: 0.1, margin: null },
    yearly: { ...between, value: -0.05, margin: 0.02 },
  }
  const trendOf = (measure: keyof typeof changes) => trendOfMeasure({ changes }, measure)
  expect([trendOf('weekly'), trendOf('cumulative'), trendOf('annualised')]).toEqual([
    'stable',
    'stable',
    'stable',
  ])
  expect(trendOf('yearly')).toBe('down')
  const risen = { ...changes, cumulative: { ...between, value: 0.09, margin: 0.02 } }
  expect(trendOfMeasure({ changes: risen }, 'annualised')).toBe('up')
  expect(trendOfMeasure({ changes: { ...changes, cumulative: null } }, 'annualised')).toBeNull()
})
