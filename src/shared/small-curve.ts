import { dayMs } from '#shared/days.ts'
import { linearScale } from '#shared/linear-scale.ts'
import { isFarFromMedian, outliersIn } from '#shared/outliers.ts'

/** Longest period without values that the line crosses; a longer one is a gap. */
const longestGapMs = 14 * dayMs
/** Vertical range of the values that are not entry errors. */
const inside = [0.04, 0.96] as const

/** A curve without axes, in a square from 0 to 1, y upwards. */
export type SmallCurve = {
  /** Segments of [x, y] points, cut when nothing was collected for 14 days. */
  segments: [number, number][][]
  /** Height of the level; null when there is none, or when it would flatten the curve. */
  level: number | null
  /** Lowest and highest values, without probable entry errors. */
  lowest: number
  highest: number
  x: (day: string) => number
  /** Returns the height of a value; a probable entry error is clamped to the edge. */
  y: (value: number) => number
}

/**
 * Computes the small curve of a series for mails, pictures and the preview of an alert; probable entry errors do not
 * flatten it.
 *
 * @param points oldest first
 * @returns null with fewer than two points
 */
export function smallCurve(
  points: readonly { date: string; value: number }[],
  threshold: number | null = null,
): SmallCurve | null {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || points.length < 2) return null
  const values = points.map(({ value }) => value)
  const slips = new Set(outliersIn(values))
  const near = values.filter((_, at) => !slips.has(at))
  const level = threshold !== null && !isFarFromMedian(values, threshold) ? [threshold] : []
  const [lowest, highest] = [Math.min(...near), Math.max(...near)]
  const along = linearScale([Date.parse(first.date), Date.parse(last.date)], [0, 1])
  const upwards = linearScale([Math.min(lowest, ...level), Math.max(highest, ...level)], inside)
  const x = (day: string) => along(Date.parse(day))
  const y = (value: number) => Math.max(0, Math.min(1, upwards(value)))
  const segments: SmallCurve['segments'] = []
  let before = Number.NEGATIVE_INFINITY
  for (const { date, value } of points) {
    if (Date.parse(date) - before > longestGapMs) segments.push([])
    segments.at(-1)?.push([x(date), y(value)])
    before = Date.parse(date)
  }
  return { segments, level: level[0] === undefined ? null : y(level[0]), lowest, highest, x, y }
}
