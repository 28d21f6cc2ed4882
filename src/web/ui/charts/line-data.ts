import { dayText } from '#web/ui/charts/day-axis.ts'
import { type LinePoint, type ParsedSeries, parseSeries } from '#web/ui/charts/segments.ts'

export type LineSeries = {
  key: string
  label: string
  points: readonly LinePoint[]
  /** Index of its colour among the eight, from 0; by default, its index among the series. */
  colour?: number | undefined
}

/**
 * All series as read once: each day with at least one value, the lowest and highest values, and the number of
 * observations.
 */
export type LineData = Pick<ParsedSeries, 'days' | 'low' | 'high' | 'count'> & {
  lines: readonly (ParsedSeries & { key: string; label: string; colour: number })[]
}

/** Reads one to six series once, for the drawing, the cursor and the table. */
export function parseAllSeries(series: readonly LineSeries[]): LineData {
  const lines = series.slice(0, 6).map(({ key, label, points, colour }, place) => ({
    key,
    label,
    colour: colour ?? place,
    ...parseSeries(points),
  }))
  const counts = lines.flatMap(({ count }) => count ?? [])
  return {
    lines,
    days: unionOfDays(lines),
    low: Math.min(...lines.map(({ low }) => low)),
    high: Math.max(...lines.map(({ high }) => high)),
    count: counts.length > 0 ? counts.reduce((sum, count) => sum + count) : undefined,
  }
}

/** Returns the point of a day, by binary search. */
export function pointOn({ days, points }: ParsedSeries, day: number): LinePoint | undefined {
  let [low, high] = [0, days.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    if (days[middle] === day) return points[middle]
    if (days[middle]! < day) low = middle + 1
    else high = middle - 1
  }
  return undefined
}

/** Returns the last day of the data as `yyyy-mm-dd`. */
export function lastDay(data: LineData): string | undefined {
  const day = data.days.at(-1)
  return day === undefined ? undefined : dayText(day)
}

function unionOfDays(lines: readonly ParsedSeries[]): readonly number[] {
  if (lines.length === 1) return lines[0]!.days
  return [...new Set(lines.flatMap(({ days }) => days))].sort((a, b) => a - b)
}
