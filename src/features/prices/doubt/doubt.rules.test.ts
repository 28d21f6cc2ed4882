import { expect, test } from 'vitest'
import { doubtOfSeries, gapOf, isConfirmed, likelyPrice, mergeDoubts } from './doubt.rules.ts'

const figures = { quotes: 20, median: 2800, medianLog: Math.log(2800), madLog: 0 }
const reading = (price: number | null, near: number[] = [], twinId: number | null = null) => ({
  figures,
  price,
  near,
  twinId,
  lastPrice: { value: 2800, currency: 'CDF' as const, day: '2026-11-20' },
  lastInFrancs: 2800,
})

test('a price is confirmed by two quotes within 8 %, whatever else was quoted', () => {
  expect(isConfirmed(1000, [920, 1080])).toBe(true)
  expect(isConfirmed(1000, [919, 1080, 400])).toBe(false)
  expect(isConfirmed(1000, [1081, 1000])).toBe(false)
  expect(isConfirmed(1000, [])).toBe(false)
})

test('a price is doubtful when it is unusual and unconfirmed', () => {
  expect(doubtOfSeries(reading(28_000))).toEqual({
    reasons: ['outlier'],
    evidence: { usual: 2800, quotes: 20, cdf: 28_000, last: reading(1).lastPrice },
  })
  expect(doubtOfSeries(reading(28_000, [28_000]))).not.toBe(null)
  expect(doubtOfSeries(reading(28_000, [28_000, 27_000]))).toBe(null)
  expect(doubtOfSeries(reading(2900))).toBe(null)
  // Without a rate, dollars are not judged.
  expect(doubtOfSeries(reading(null))).toBe(null)
})

test('the same amount from another collector is a separate doubt, which quotes do not confirm', () => {
  expect(doubtOfSeries(reading(2800, [2800, 2800], 7))).toEqual({
    reasons: ['duplicate'],
    evidence: { twinId: 7 },
  })
  const both = doubtOfSeries(reading(28_000, [], 7))
  expect(both).toMatchObject({ reasons: ['outlier', 'duplicate'], evidence: { twinId: 7, cdf: 28_000 } })
})

test('combined doubts name each reason once, the gravest first', () => {
  expect(mergeDoubts([null, undefined])).toBe(null)
  const fast = { reasons: ['fast' as const], evidence: { goods: 12, seconds: 9 } }
  const far = { reasons: ['far' as const], evidence: { metres: 4000 } }
  expect(mergeDoubts([fast, null, far, fast])).toEqual({
    reasons: ['far', 'fast'],
    evidence: { goods: 12, seconds: 9, metres: 4000 },
  })
})

test('a gap is the same up and down', () => {
  expect(gapOf({ usual: 100, cdf: 1000 })).toBeCloseTo(gapOf({ usual: 1000, cdf: 100 }))
  expect(gapOf({ cdf: 1000, last: { value: 100, currency: 'CDF', day: '2026-11-01' } })).toBeCloseTo(
    Math.log(10),
  )
  expect(gapOf({ cdf: 1000 })).toBe(0)
})

test('the likely price differs by a zero, in the currency of the price', () => {
  expect(likelyPrice(28_000, { usual: 2800, cdf: 28_000 })).toBe(2800)
  expect(likelyPrice(12.5, { usual: 2800, cdf: 28_000 })).toBe(1.25)
  expect(likelyPrice(290, { usual: 2800, cdf: 290 })).toBe(2900)
  expect(likelyPrice(5600, { usual: 2800, cdf: 5600 })).toBe(null)
  expect(likelyPrice(5600, { cdf: 5600 })).toBe(null)
})
