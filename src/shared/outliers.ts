/** Largest ratio of a value to the median of its series, or the reverse, that a chart draws as it is. */
const mostTimesMedian = 3
/**
 * When more than this share of a series is far from the median, these values are normal for the series, not entry
 * errors.
 */
const mostOfSeries = 0.05

/**
 * Returns the indexes of probable entry errors (three times above or below the median); none when there are too many of
 * them.
 */
export function outliersIn(values: ArrayLike<number>): number[] {
  const median = upperMedianOf(values)
  const far = Array.from(values, (value, at) => (isFar(value, median) ? at : -1)).filter((at) => at >= 0)
  return far.length <= Math.max(1, mostOfSeries * values.length) ? far : []
}

/** Whether a value is three times above or below the median of others, so that it would flatten their curve. */
export function isFarFromMedian(values: ArrayLike<number>, value: number): boolean {
  return isFar(value, upperMedianOf(values))
}

/** Whether values between `low` and `high` may be three times above or below their median. */
export function mayHaveOutliers(low: number, high: number): boolean {
  return low > 0 && high > mostTimesMedian * low
}

const isFar = (value: number, median: number) =>
  value > mostTimesMedian * median || value < median / mostTimesMedian

/** Returns the upper of two middle values: a value that exists. */
function upperMedianOf(values: ArrayLike<number>): number {
  return Float64Array.from(values).sort()[values.length >> 1] ?? 0
}
