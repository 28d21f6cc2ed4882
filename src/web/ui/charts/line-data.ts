import { dayText } from '#web/ui/charts/day-axis.ts'
import { type Dot, type LinePoint, toDots } from '#web/ui/charts/segments.ts'

export type LineSeries = { key: string; label: string; points: readonly LinePoint[] }

export type LineData = {
  lines: readonly { key: string; label: string; dots: readonly Dot[] }[]
  /** Each day with at least one value, in order. */
  days: readonly number[]
  /** How many observations it all rests on, when the points say so. */
  count: number | undefined
}

/** Reads one to six series once, for the drawing, the cursor and the table. */
export function readSeries(series: readonly LineSeries[]): LineData {
  const lines = series.slice(0, 6).map(({ key, label, points }) => ({ key, label, dots: toDots(points) }))
  let count: number | undefined
  for (const { dots } of lines) {
    for (const dot of dots) if (dot.count !== undefined) count = (count ?? 0) + dot.count
  }
  return { lines, days: unionOfDays(lines.map(({ dots }) => dots)), count }
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

function unionOfDays(all: readonly (readonly Dot[])[]): number[] {
  if (all.length === 1) return all[0]!.map(({ day }) => day)
  return [...new Set(all.flatMap((dots) => dots.map(({ day }) => day)))].sort((a, b) => a - b)
}
