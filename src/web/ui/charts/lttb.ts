/** Largest-Triangle-Three-Buckets: keeps the points that carry the shape, first and last included. */
export function lttb<Point>(
  points: readonly Point[],
  threshold: number,
  x: (point: Point) => number,
  y: (point: Point) => number,
): readonly Point[] {
  const count = points.length
  if (threshold >= count) return points
  if (threshold < 3)
    return threshold < 1 ? [] : threshold === 1 ? [points[0]!] : [points[0]!, points[count - 1]!]
  const kept: Point[] = [points[0]!]
  const bucket = (count - 2) / (threshold - 2)
  let previous = points[0]!
  for (let index = 0; index < threshold - 2; index++) {
    const from = Math.floor(index * bucket) + 1
    const to = Math.floor((index + 1) * bucket) + 1
    const [nextX, nextY] = centre(points, to, Math.min(Math.floor((index + 2) * bucket) + 1, count), x, y)
    const [lastX, lastY] = [x(previous), y(previous)]
    let best = points[from]!
    let largest = -1
    for (let candidate = from; candidate < to; candidate++) {
      const point = points[candidate]!
      const area = Math.abs((lastX - nextX) * (y(point) - lastY) - (lastX - x(point)) * (nextY - lastY))
      if (area <= largest) continue
      largest = area
      best = point
    }
    kept.push(best)
    previous = best
  }
  kept.push(points[count - 1]!)
  return kept
}

function centre<Point>(
  points: readonly Point[],
  from: number,
  to: number,
  x: (point: Point) => number,
  y: (point: Point) => number,
): [number, number] {
  let [sumX, sumY] = [0, 0]
  for (let index = from; index < to; index++) {
    sumX += x(points[index]!)
    sumY += y(points[index]!)
  }
  const size = Math.max(1, to - from)
  return [sumX / size, sumY / size]
}
