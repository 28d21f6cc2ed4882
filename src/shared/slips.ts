/** How far from the median of its line a value may be, as a factor: the one that alerts and entries use. */
const farthest = 3
/** More of them are how the series is, and no slips. */
const mostOfLine = 0.05

/** Where the values are that are three times off their median; none where they are more than a few. */
export function slipsIn(values: ArrayLike<number>): number[] {
  const median = medianOf(values)
  const far = Array.from(values, (value, at) => (isFar(value, median) ? at : -1)).filter((at) => at >= 0)
  return far.length <= Math.max(1, mostOfLine * values.length) ? far : []
}

/** Whether a value is three times off the median of others: beside them, it would flatten all of them. */
export function isFarFrom(values: ArrayLike<number>, value: number): boolean {
  return isFar(value, medianOf(values))
}

/** Whether some values may be three times off a median between two ends. */
export function mayHaveSlips(low: number, high: number): boolean {
  return low > 0 && high > farthest * low
}

const isFar = (value: number, median: number) => value > farthest * median || value < median / farthest

function medianOf(values: ArrayLike<number>): number {
  return Float64Array.from(values).sort()[values.length >> 1] ?? 0
}
