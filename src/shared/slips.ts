/** Largest accepted ratio between a value and the median of its series; alerts and field entries use the same one. */
const farthest = 3
/**
 * When more than this share of a series is far from the median, these values are normal for the series, not entry
 * errors.
 */
const mostOfLine = 0.05

/**
 * Returns the indexes of probable entry errors (three times above or below the median); none when there are too many of
 * them.
 */
export function slipsIn(values: ArrayLike<number>): number[] {
  const median = upperMedianOf(values)
  const far = Array.from(values, (value, at) => (isFar(value, median) ? at : -1)).filter((at) => at >= 0)
  return far.length <= Math.max(1, mostOfLine * values.length) ? far : []
}

/** Whether a value is three times above or below the median of others, so that it would flatten their curve. */
export function isFarFrom(values: ArrayLike<number>, value: number): boolean {
  return isFar(value, upperMedianOf(values))
}

/** Whether values between `low` and `high` may be three times above or below their median. */
export function mayHaveSlips(low: number, high: number): boolean {
  return low > 0 && high > farthest * low
}

const isFar = (value: number, median: number) => value > farthest * median || value < median / farthest

/** Returns the upper of two middle values: a value that exists. */
function upperMedianOf(values: ArrayLike<number>): number {
  return Float64Array.from(values).sort()[values.length >> 1] ?? 0
}
