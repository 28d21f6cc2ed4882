import { dayNumber } from '#web/ui/charts/day-axis.ts'
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

export type Dot = Pick<LinePoint, 'count' | 'thin' | 'note'> & {
  day: number
  value: number
  estimated: boolean
}

/** A stretch without a hole, solid or dashed throughout. One dot alone is a stretch too. */
export type Segment = { dots: readonly Dot[]; estimated: boolean }

const MOST_POINTS = 600

/** Cuts a series where days are missing, so that no line bridges what nobody saw, then keeps at most as many points
    as a screen can show. Cutting comes first: thinning would look like holes. */
export function lineSegments(dots: readonly Dot[], maxGapDays = 1): Segment[] {
  const stretches = isUnbroken(dots, maxGapDays)
    ? [{ dots, estimated: false }]
    : splitAtGaps(dots, maxGapDays).flatMap(splitAtEstimates)
  if (dots.length <= MOST_POINTS) return stretches
  if (stretches.length > MOST_POINTS / 2) {
    const kept = lttb(dots, MOST_POINTS, dayOf, heightOf)
    return kept.map((dot) => ({ dots: [dot], estimated: dot.estimated }))
  }
  return stretches.map(({ dots: stretch, estimated }) => {
    // Two less, to make up for the short stretches that are given two whatever their share.
    const share = Math.floor(MOST_POINTS * (stretch.length / dots.length)) - 2
    return { dots: lttb(stretch, Math.max(2, share), dayOf, heightOf), estimated }
  })
}

/** What is read of a series: its days with a value, in order, and what they add up to. */
export type ReadDots = {
  dots: readonly Dot[]
  days: readonly number[]
  /** The least and the greatest value; infinite where there is none. */
  low: number
  high: number
  /** How many observations it rests on, when the points say so. */
  count: number | undefined
}

/** Reads a series in one go: each time that ten thousand points are gone through shows on a slow telephone. */
export function readDots(points: readonly LinePoint[]): ReadDots {
  const dots: Dot[] = []
  const days: number[] = []
  let [low, high, last, observed] = [Infinity, -Infinity, -Infinity, 0]
  let [isSorted, isCounted] = [true, false]
  for (const { date, value, estimated, count, thin, note } of points) {
    if (value === null || !Number.isFinite(value)) continue
    const day = dayNumber(date)
    if (Number.isNaN(day)) continue
    if (day < last) isSorted = false
    last = day
    if (value < low) low = value
    if (value > high) high = value
    if (count !== undefined) {
      isCounted = true
      observed += count
    }
    days.push(day)
    dots.push({ day, value, estimated: estimated === true, count, thin, note })
  }
  if (!isSorted) {
    dots.sort((a, b) => a.day - b.day)
    days.sort((a, b) => a - b)
  }
  return { dots, days, low, high, count: isCounted ? observed : undefined }
}

const dayOf = (dot: Dot) => dot.day
const heightOf = (dot: Dot) => dot.value

/** Most series, and all long ones: nothing to cut, so nothing to copy. */
function isUnbroken(dots: readonly Dot[], maxGapDays: number): boolean {
  const gap = Math.max(1, maxGapDays)
  let before = dots[0]?.day ?? 0
  for (const { day, estimated } of dots) {
    if (estimated || day - before > gap) return false
    before = day
  }
  return dots.length > 0
}

function splitAtGaps(dots: readonly Dot[], maxGapDays: number): Dot[][] {
  const stretches: Dot[][] = []
  let previous: Dot | undefined
  for (const dot of dots) {
    // Two days a day apart have no missing day between them.
    if (!previous || dot.day - previous.day > Math.max(1, maxGapDays)) stretches.push([])
    stretches.at(-1)!.push(dot)
    previous = dot
  }
  return stretches
}

/** A piece of line is dashed when either of its ends is estimated; neighbours share the point where they meet. */
function splitAtEstimates(dots: readonly Dot[]): Segment[] {
  if (dots.length < 2) return [{ dots, estimated: dots[0]?.estimated ?? false }]
  const segments: { dots: Dot[]; estimated: boolean }[] = []
  for (let index = 1; index < dots.length; index++) {
    const [from, to] = [dots[index - 1]!, dots[index]!]
    const estimated = from.estimated || to.estimated
    const current = segments.at(-1)
    if (current && current.estimated === estimated) current.dots.push(to)
    else segments.push({ dots: [from, to], estimated })
  }
  return segments
}
