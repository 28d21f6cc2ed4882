import { describe, expect, test } from 'vitest'
import { isOutlier, type SeriesFigures } from './check.rules.ts'

/** Computes the figures of some prices by plain code. */
function figuresOf(prices: number[]): SeriesFigures {
  const logs = prices.map(Math.log)
  const medianLog = median(logs)
  return {
    quotes: prices.length,
    median: median(prices),
    medianLog,
    madLog: medianLog === null ? null : median(logs.map((log) => Math.abs(log - medianLog))),
  }
}

function median(values: number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (index: number) => sorted[index] ?? 0
  const middle = sorted.length / 2
  if (sorted.length === 0) return null
  return Number.isInteger(middle) ? (at(middle - 1) + at(middle)) / 2 : at(Math.floor(middle))
}

describe('a price is asked about', () => {
  // ln: median of 1000, deviations 0.223, 0.105, 0, 0.095, 0.182 → MAD 0.105 → 1000·e^±(3.5·1.4826·0.105).
  test('with five quotes, beyond 3.5 deviations of their logarithms', () => {
    const figures = figuresOf([800, 900, 1000, 1100, 1200])
    const limit = 1000 * Math.exp(3.5 * 1.4826 * Math.log(1000 / 900))
    expect(limit).toBeCloseTo(1728, 0)
    expect([1000, limit * 0.999, limit * 1.001].map((price) => isOutlier(price, figures))).toEqual([
      false,
      false,
      true,
    ])
    expect(
      [1_000_000 / limit / 0.999, 1_000_000 / limit / 1.001].map((price) => isOutlier(price, figures)),
    ).toEqual([false, true])
  })

  test('with three or four quotes, outside one third to three times their median', () => {
    for (const prices of [
      [500, 900, 2000],
      [500, 800, 1000, 2000],
    ]) {
      const prove = (price: number) => isOutlier(price, figuresOf(prices))
      expect([299, 300, 900, 2700, 2701].map(prove)).toEqual([true, false, false, false, true])
    }
  })

  test('with quotes that hardly vary, not for every franc: their deviation counts as 5 % at least', () => {
    // 1000·e^±(3.5·1.4826·0.05) is 771 and 1296; a price within a quarter of the median passes all the same.
    for (const prices of [
      [1000, 1000, 1000, 1000, 1500],
      [990, 995, 1000, 1005, 1010],
    ]) {
      const prove = (price: number) => isOutlier(price, figuresOf(prices))
      expect([750, 751, 1050, 1296, 1297].map(prove)).toEqual([true, false, false, false, true])
    }
  })

  test('with quotes that hardly vary, not for a price just seen below them', () => {
    // A market at 3 800 francs for three months, then twice at 3 300: 13 % is not a typing error.
    const figures = figuresOf([...Array(19).fill(3800), 3300, 3300])
    expect(isOutlier(3300, figures)).toBe(false)
  })

  test('never with fewer than three quotes, nor when it cannot be converted', () => {
    expect(isOutlier(1, figuresOf([1000, 1000]))).toBe(false)
    expect(isOutlier(1, figuresOf([]))).toBe(false)
    expect(isOutlier(null, figuresOf([900, 950, 1000, 1050, 1100]))).toBe(false)
  })
})
