import { dayNumber, dayReader } from '#web/ui/charts/day-axis.ts'
import { lttb } from '#web/ui/charts/lttb.ts'

export type LinePoint = {
  /** `yyyy-mm-dd` */
  date: string
  /** null: nothing that day. */
  value: number | null
  /** How many observations it rests on. */
  count?: number
  /** Computed rather than collected, or not yet final: drawn dashed. */
  estimated?: boolean
  /** Rests on too few observations: drawn hollow. */
  thin?: boolean
  /** A word beside its value. */
  note?: string
}

/** What is read of a series: its points with a value, in order of days. In columns, since ten thousand objects take
    longer to make than the line to draw. */
export type ReadLine = {
  points: readonly LinePoint[]
  /** The day of each, since 1970. */
  days: readonly number[]
  values: readonly number[]
  /** Where those are that rest on too little. */
  thin: readonly number[]
  /** The least and the greatest value; infinite where there is none. */
  low: number
  high: number
  /** How many observations it rests on, when the points say so. */
  count: number | undefined
  /** From one point to the next, in days, at most. */
  longestGap: number
  hasEstimates: boolean
}

export type Dot = { day: number; value: number }

/** A stretch without a hole, solid or dashed throughout. One dot alone is a stretch too. */
export type Segment = { dots: readonly Dot[]; estimated: boolean }

type Stretch = { from: number; to: number; estimated: boolean }

const MOST_POINTS = 600

/** Reads a series in one go: each time that ten thousand points are gone through shows on a slow telephone. */
export function readLine(points: readonly LinePoint[]): ReadLine {
  const [drawn, days, values, thin]: [LinePoint[], number[], number[], number[]] = [[], [], [], []]
  let [low, high, last, count] = [Infinity, -Infinity, -Infinity, 0]
  let [isSorted, isCounted, hasEstimates, longestGap] = [true, false, false, 0]
  const dayOf = dayReader()
  for (const point of points) {
    const { value } = point
    const day = dayOf(point.date)
    // Of no day, or without a value: neither is a number that is less than another.
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
    if (point.estimated) hasEstimates = true
    if (point.thin) thin.push(days.length)
    days.push(day)
    values.push(value)
    drawn.push(point)
  }
  if (!isSorted) return readLine(drawn.toSorted((a, b) => dayNumber(a.date) - dayNumber(b.date)))
  const counted = isCounted ? count : undefined
  return { points: drawn, days, values, thin, low, high, count: counted, longestGap, hasEstimates }
}

/** Cuts a series where days are missing, so that no line bridges what nobody saw, then keeps at most as many points
    as a screen can show. Cutting comes first: thinning would look like holes. */
export function lineSegments(line: ReadLine, maxGapDays = 1): Segment[] {
  const { days, values } = line
  const dotsAt = (chosen: readonly number[]) => chosen.map((at) => ({ day: days[at]!, value: values[at]! }))
  const stretches = unbrokenStretches(line, maxGapDays)
  if (stretches.length > MOST_POINTS / 2 && days.length > MOST_POINTS) {
    const chosen = lttb(days, values, MOST_POINTS)
    return chosen.map((at) => ({ dots: dotsAt([at]), estimated: line.points[at]!.estimated === true }))
  }
  return stretches.map(({ from, to, estimated }) => {
    const size = to - from + 1
    // Two less, to make up for the short stretches that are given two whatever their share.
    const share = Math.max(2, Math.floor(MOST_POINTS * (size / days.length)) - 2)
    const most = days.length > MOST_POINTS ? share : size
    return { dots: dotsAt(lttb(days, values, most, from, to)), estimated }
  })
}

/** A piece of line is dashed when either of its ends is estimated; neighbours share the point where they meet. */
function unbrokenStretches(line: ReadLine, maxGapDays: number): Stretch[] {
  const { days, points, longestGap, hasEstimates } = line
  // Two days a day apart have no missing day between them.
  const gap = Math.max(1, maxGapDays)
  // Most series, and all long ones: nothing to cut.
  if (days.length > 0 && longestGap <= gap && !hasEstimates)
    return [{ from: 0, to: days.length - 1, estimated: false }]
  const stretches: Stretch[] = []
  let current: Stretch | undefined
  let wasEstimated = false
  for (let at = 0; at < days.length; at++) {
    const isEstimated = points[at]!.estimated === true
    const isPieceEstimated = isEstimated || wasEstimated
    wasEstimated = isEstimated
    if (!current || days[at]! - days[at - 1]! > gap) current = { from: at, to: at, estimated: isEstimated }
    else if (current.from < current.to && current.estimated !== isPieceEstimated)
      current = { from: at - 1, to: at, estimated: isPieceEstimated }
    else {
      current.to = at
      current.estimated = isPieceEstimated
      continue
    }
    stretches.push(current)
  }
  return stretches
}
