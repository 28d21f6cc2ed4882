import { dayText } from '#web/ui/charts/day-axis.ts'
import { type Dot, type LinePoint, type ReadDots, readDots } from '#web/ui/charts/segments.ts'

export type LineSeries = { key: string; label: string; points: readonly LinePoint[] }

/** What is read of all series: each day with at least one value, the extremes, and what they all rest on. */
export type LineData = Omit<ReadDots, 'dots'> & {
  lines: readonly { key: string; label: string; dots: readonly Dot[] }[]
}

/** Reads one to six series once, for the drawing, the cursor and the table. */
export function readSeries(series: readonly LineSeries[]): LineData {
  const read = series.slice(0, 6).map(({ points }) => readDots(points))
  const counts = read.flatMap(({ count }) => count ?? [])
  return {
    lines: read.map(({ dots }, index) => ({ key: series[index]!.key, label: series[index]!.label, dots })),
    days: unionOfDays(read),
    low: Math.min(...read.map(({ low }) => low)),
    high: Math.max(...read.map(({ high }) => high)),
    count: counts.length > 0 ? counts.reduce((sum, count) => sum + count) : undefined,
  }
}

/** The value of a day, by halving. */
export function dotOn(dots: readonly Dot[], day: number): Dot | undefined {
  let [low, high] = [0, dots.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const dot = dots[middle]!
    if (dot.day === day) return dot
    if (dot.day < day) low = middle + 1
    else high = middle - 1
  }
  return undefined
}

/** The last day read, as `yyyy-mm-dd`. */
export function lastDay(data: LineData): string | undefined {
  const day = data.days.at(-1)
  return day === undefined ? undefined : dayText(day)
}

function unionOfDays(read: readonly ReadDots[]): readonly number[] {
  if (read.length === 1) return read[0]!.days
  return [...new Set(read.flatMap(({ days }) => days))].sort((a, b) => a - b)
}
