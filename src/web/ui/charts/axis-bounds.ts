import { mayHaveOutliers, outliersIn } from '#shared/outliers.ts'
import type { LineData } from '#web/ui/charts/line-data.ts'

/** A point outside the axis: the index of its line, and its day since 1970. */
export type OutsidePoint = { line: number; day: number; value: number }

export type AxisBounds = { low: number; high: number; outside: readonly OutsidePoint[] }

/** Ratio of axis lengths with and without the outlying values, from which they are left out. */
const mostStretch = 3
/** Fewest values of a series with a reliable median. */
const fewestValues = 5

/**
 * Returns the range of the value axis: every value, except a few that are three times above or below the median of
 * their own line and would make the axis three times as long. A single entry error thus does not flatten the other
 * values.
 *
 * @param fromZero whether the axis starts at zero whatever the values are
 */
export function axisBounds({ lines, low, high }: LineData, fromZero = false): AxisBounds {
  const whole = { low, high, outside: [] }
  const length = (from: number, to: number) => (fromZero ? Math.max(0, to) - Math.min(0, from) : to - from)
  // When the highest value is less than three times the lowest, no value is three times off the median.
  if (!mayHaveOutliers(low, high)) return whole
  const outside: OutsidePoint[] = []
  let [innerLow, innerHigh] = [Infinity, -Infinity]
  for (const [line, { days, values }] of lines.entries()) {
    const own = pointsOutside(values)
    for (const at of own) outside.push({ line, day: days[at]!, value: values[at]! })
    const left = new Set(own)
    for (const [at, value] of values.entries()) {
      if (left.has(at)) continue
      if (value < innerLow) innerLow = value
      if (value > innerHigh) innerHigh = value
    }
  }
  if (outside.length === 0 || length(low, high) < mostStretch * length(innerLow, innerHigh)) return whole
  return {
    low: innerLow,
    high: innerHigh,
    outside: outside.filter(({ value }) => value > innerHigh || (!fromZero && value < innerLow)),
  }
}

/** Returns the indexes of the outlying values; none when there are too few values to know what is normal. */
function pointsOutside(values: readonly number[]): number[] {
  return values.length < fewestValues ? [] : outliersIn(values)
}
