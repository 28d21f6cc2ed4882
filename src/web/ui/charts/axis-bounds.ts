import { mayHaveSlips, slipsIn } from '#shared/slips.ts'
import type { LineData } from '#web/ui/charts/line-data.ts'

/** A point that the axis leaves out: where its line stands, and its day since 1970. */
export type OutsidePoint = { line: number; day: number; value: number }

export type AxisBounds = { low: number; high: number; outside: readonly OutsidePoint[] }

/** How much longer an axis may become for the sake of such values. */
const mostStretch = 3
/** Fewer values tell no median worth trusting. */
const fewestValues = 5

/**
 * What an axis has to hold: every value, but for a few that are three times off the median of their own line and would make
 * the axis three times as long, so that one slip of a hand does not flatten all others.
 *
 * @param fromZero whether the axis starts at zero whatever the values are
 */
export function axisBounds({ lines, low, high }: LineData, fromZero = false): AxisBounds {
  const whole = { low, high, outside: [] }
  const length = (from: number, to: number) => (fromZero ? Math.max(0, to) - Math.min(0, from) : to - from)
  // Nothing is three times off a median between two values that are not three times one another.
  if (!mayHaveSlips(low, high)) return whole
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

/** Where the slips are; none where too few values tell what is usual. */
function pointsOutside(values: readonly number[]): number[] {
  return values.length < fewestValues ? [] : slipsIn(values)
}
