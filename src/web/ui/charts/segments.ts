import { dayNumber, dayReader } from '#web/ui/charts/day-axis.ts'
import { lttb } from '#web/ui/charts/lttb.ts'

export type LinePoint = {
  /** `yyyy-mm-dd` */
  date: string
  /** Null: no value on that day. */
  value: number | null
  /** Number of observations behind the value. */
  count?: number
  /** Not final yet: drawn dashed. */
  isProvisional?: boolean
  /** Based on too few observations: drawn hollow. */
  isFaint?: boolean
  /** A note shown beside the value. */
  note?: string
}

/**
 * A series as parsed: its points with a value, in order of days. Stored in columns, because creating ten thousand objects
 * takes longer than drawing the line.
 */
export type ParsedSeries = {
  points: readonly LinePoint[]
  /** Day of each point, since 1970. */
  days: readonly number[]
  values: readonly number[]
  /** Indexes of the points based on too few observations. */
  faint: readonly number[]
  /** Lowest and highest value; infinite when there is none. */
  low: number
  high: number
  /** Total number of observations, when the points give theirs. */
  count: number | undefined
  /** Longest interval between two consecutive points, in days. */
  longestGap: number
  hasProvisional: boolean
}

export type Dot = { day: number; value: number }

/** A part of a line without gaps, solid or dashed throughout. A single dot is also a segment. */
export type Segment = { dots: readonly Dot[]; isProvisional: boolean }

type Stretch = { from: number; to: number; isProvisional: boolean }

const mostPoints = 600

/** Parses a series in one pass: on a slow phone, each additional pass over ten thousand points is noticeable. */
export function parseSeries(points: readonly LinePoint[]): ParsedSeries {
  const [drawn, days, values, faint]: [LinePoint[], number[], number[], number[]] = [[], [], [], []]
  let [low, high, last, count] = [Infinity, -Infinity, -Infinity, 0]
  let [isSorted, isCounted, hasProvisional, longestGap] = [true, false, false, 0]
  const dayOf = dayReader()
  for (const point of points) {
    const { value } = point
    const day = dayOf(point.date)
    // Skips points with an invalid day or without a finite value; the comparisons are also false for NaN.
    if (value === null || !(day < Infinity && Math.abs(value) < Infinity)) continue
    if (day < last) isSorted = false
    if (day - last > longestGap && days.length > 0) longestGap = day - last
    last = day
    if (value < low) low = value
    if (value > high) high = value
    if (point.count !== undefined) {
      isCounted = true
      count += point.count
    }
    if (point.isProvisional) hasProvisional = true
    if (point.isFaint) faint.push(days.length)
    days.push(day)
    values.push(value)
    drawn.push(point)
  }
  if (!isSorted) return parseSeries(drawn.toSorted((a, b) => dayNumber(a.date) - dayNumber(b.date)))
  const counted = isCounted ? count : undefined
  return { points: drawn, days, values, faint, low, high, count: counted, longestGap, hasProvisional }
}

/**
 * Cuts a series at missing days, so that no line crosses a period without data, then reduces it to the number of points
 * that a screen can show. Cuts come first, because downsampling would create false gaps.
 */
export function lineSegments(line: ParsedSeries, maxGapDays = 1): Segment[] {
  const { days, values } = line
  const dotsAt = (chosen: readonly number[]) => chosen.map((at) => ({ day: days[at]!, value: values[at]! }))
  const stretches = unbrokenStretches(line, maxGapDays)
  if (stretches.length > mostPoints / 2 && days.length > mostPoints) {
    const chosen = lttb(days, values, mostPoints)
    return chosen.map((at) => ({
      dots: dotsAt([at]),
      isProvisional: line.points[at]!.isProvisional === true,
    }))
  }
  return stretches.map(({ from, to, isProvisional }) => {
    const size = to - from + 1
    // Two less, to compensate for short segments, which get two points whatever their share.
    const share = Math.max(2, Math.floor(mostPoints * (size / days.length)) - 2)
    const most = days.length > mostPoints ? share : size
    return { dots: dotsAt(lttb(days, values, most, from, to)), isProvisional }
  })
}

/**
 * Splits a series into unbroken parts. A part is dashed when either of its ends is provisional; adjacent parts share a
 * point.
 */
function unbrokenStretches(line: ParsedSeries, maxGapDays: number): Stretch[] {
  const { days, points, longestGap, hasProvisional } = line
  // Two consecutive days have no missing day between them.
  const gap = Math.max(1, maxGapDays)
  // Fast path for most series, and all long ones: nothing to cut.
  if (days.length > 0 && longestGap <= gap && !hasProvisional)
    return [{ from: 0, to: days.length - 1, isProvisional: false }]
  const stretches: Stretch[] = []
  let current: Stretch | undefined
  let wasProvisional = false
  for (let at = 0; at < days.length; at++) {
    const isProvisional = points[at]!.isProvisional === true
    const isPieceProvisional = isProvisional || wasProvisional
    wasProvisional = isProvisional
    if (!current || days[at]! - days[at - 1]! > gap) current = { from: at, to: at, isProvisional }
    else if (current.from < current.to && current.isProvisional !== isPieceProvisional)
      current = { from: at - 1, to: at, isProvisional: isPieceProvisional }
    else {
      current.to = at
      current.isProvisional = isPieceProvisional
      continue
    }
    stretches.push(current)
  }
  return stretches
}
