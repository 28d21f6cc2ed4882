import { dayMs } from '#shared/days.ts'
import { linearScale } from '#shared/linear-scale.ts'
import { isFarFrom, slipsIn } from '#shared/slips.ts'

/** A longer silence is a gap in the line. */
const longestGapMs = 14 * dayMs
/** Between these stands what is no slip. */
const inside = [0.04, 0.96] as const

/** A curve without axes, in a square from 0 to 1, y upwards. */
export type SmallCurve = {
  /** Stretches of [x, y], cut where nothing was collected for 14 days. */
  course: [number, number][][]
  /** Where the level stands; null where there is none, or it would flatten the curve. */
  level: number | null
  /** The values that are no slips. */
  lowest: number
  highest: number
  x: (day: string) => number
  /** A slip stands at the edge. */
  y: (value: number) => number
}

/**
 * The curve of a series as mails, pictures and the preview of an alert draw it: a slip of a digit flattens nothing.
 *
 * @param points oldest first
 * @returns null where there are not two days to draw
 */
export function smallCurve(
  points: readonly { date: string; value: number }[],
  threshold: number | null = null,
): SmallCurve | null {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || points.length < 2) return null
  const values = points.map(({ value }) => value)
  const slips = new Set(slipsIn(values))
  const near = values.filter((_, at) => !slips.has(at))
  const level = threshold !== null && !isFarFrom(values, threshold) ? [threshold] : []
  const [lowest, highest] = [Math.min(...near), Math.max(...near)]
  const along = linearScale([Date.parse(first.date), Date.parse(last.date)], [0, 1])
  const upwards = linearScale([Math.min(lowest, ...level), Math.max(highest, ...level)], inside)
  const x = (day: string) => along(Date.parse(day))
  const y = (value: number) => Math.max(0, Math.min(1, upwards(value)))
  const course: SmallCurve['course'] = []
  let before = Number.NEGATIVE_INFINITY
  for (const { date, value } of points) {
    if (Date.parse(date) - before > longestGapMs) course.push([])
    course.at(-1)?.push([x(date), y(value)])
    before = Date.parse(date)
  }
  return { course, level: level[0] === undefined ? null : y(level[0]), lowest, highest, x, y }
}
