/**
 * Downsamples a series: Largest-Triangle-Three-Buckets (S. Steinarsson, « Downsampling Time Series for Visual
 * Representation », 2013). Keeps the points that determine the shape, including the first and the last.
 *
 * @param x days, ascending
 * @param y the value of each day
 * @param threshold largest number of points to keep
 * @param from index of the first point to consider
 * @param to index of the last point to consider
 * @returns ascending indexes of the points to keep
 */
export function lttb(
  x: readonly number[],
  y: readonly number[],
  threshold: number,
  from = 0,
  to = x.length - 1,
): number[] {
  const count = to - from + 1
  if (threshold >= count) return Array.from({ length: count }, (_, index) => from + index)
  if (threshold < 3) return [from, to].slice(0, threshold)
  const chosen = [from]
  const bucket = (count - 2) / (threshold - 2)
  let previous = from
  let start = from + 1
  for (let index = 1; index <= threshold - 2; index++) {
    const end = from + Math.floor(index * bucket) + 1
    const nextEnd = Math.min(from + Math.floor((index + 1) * bucket) + 1, to + 1)
    let [sumX, sumY] = [0, 0]
    for (let at = end; at < nextEnd; at++) {
      sumX += x[at]!
      sumY += y[at]!
    }
    const size = Math.max(1, nextEnd - end)
    const [lastX, lastY] = [x[previous]!, y[previous]!]
    const [width, height] = [lastX - sumX / size, sumY / size - lastY]
    let largest = -1
    for (let at = start; at < end; at++) {
      const area = Math.abs(width * (y[at]! - lastY) - (lastX - x[at]!) * height)
      if (area <= largest) continue
      largest = area
      previous = at
    }
    chosen.push(previous)
    start = end
  }
  chosen.push(to)
  return chosen
}
