import { addDays, lengthInDays, type Period } from '#features/prices/rollups/rollups.rules.ts'
import type { Trend } from '#features/prices/summary/summary.contract.ts'

/** Logarithms of prices are added as integers in this unit. */
const logUnit = 1e-12

/** The first and last floor(n/3) days of a period of n days, at least one day each. */
export function thirdsOf(period: Period): { first: Period; last: Period } {
  const days = Math.max(1, Math.floor(lengthInDays(period) / 3))
  return {
    first: { start: period.start, end: addDays(period.start, days - 1) },
    last: { start: addDays(period.end, 1 - days), end: period.end },
  }
}

/** What the series quoted in both thirds tell: how many they are, and the mean of their log changes, in 1e-12. */
export type Movement = { matchedSeries: number; meanLogChange: number | null }

/**
 * The matched Jevons index between two windows, minus 1 (IMF, ILO: Consumer Price Index Manual, elementary indices):
 * Π (geomean_b / geomean_a)^(1/n) is the exponential of the mean log change of the n matched series.
 *
 * @param dailyPoints days with prices in the period
 * @returns a fraction; null, shown as « Insuffisant », with fewer than two daily points or no matched series
 */
export function estimateInflation(dailyPoints: number, movement: Movement): number | null {
  const { matchedSeries, meanLogChange } = movement
  if (dailyPoints < 2 || matchedSeries === 0 || meanLogChange === null) return null
  return Math.expm1(meanLogChange * logUnit)
}

/** Up above +1 %, down below −1 %, stable between and where there is nothing to compare. */
export function trendOf(inflation: number | null): Trend {
  if (inflation === null || Math.abs(inflation) <= 0.01) return 'stable'
  return inflation > 0 ? 'up' : 'down'
}
