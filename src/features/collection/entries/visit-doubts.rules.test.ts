import { expect, test } from 'vitest'
import { metresBetween } from '#shared/geography.ts'
import { doubtOfVisit } from './visit-doubts.rules.ts'

const goma = { latitude: -1.6792, longitude: 29.2228 }
const bukavu = { latitude: -2.5083, longitude: 28.8608 }
const calm = { goods: 9, seconds: 20 }

test('Goma is about a hundred kilometres from Bukavu', () => {
  expect(metresBetween(goma, bukavu) / 1000).toBeCloseTo(100.6, 0)
  expect(metresBetween(goma, goma)).toBe(0)
})

test('a phone far from the market makes an entry doubtful, unless its accuracy allows the distance', () => {
  expect(doubtOfVisit(calm, bukavu, goma)).toMatchObject({
    reasons: ['far'],
    evidence: { metres: expect.any(Number) },
  })
  expect(doubtOfVisit(calm, { ...bukavu, accuracyM: 150_000 }, goma)).toBe(null)
  expect(doubtOfVisit(calm, { latitude: -1.69, longitude: 29.2228 }, goma)).toBe(null)
  expect(doubtOfVisit(calm, null, goma)).toBe(null)
  expect(doubtOfVisit(calm, bukavu, null)).toBe(null)
})

test('ten products in twenty seconds are more than an agent can check', () => {
  const recent = { goods: 10, seconds: 12 }
  expect(doubtOfVisit(recent, null, null)).toEqual({ reasons: ['fast'], evidence: recent })
  expect(doubtOfVisit(recent, bukavu, goma)).toMatchObject({ reasons: ['far', 'fast'] })
})
