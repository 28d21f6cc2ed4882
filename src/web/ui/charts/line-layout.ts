import { linearScale, niceTicks } from '#shared/linear-scale.ts'
import { formatCompact, formatNumber, truncate } from '#web/format.ts'
import { axisBounds } from '#web/ui/charts/axis-bounds.ts'
import { dayTicks } from '#web/ui/charts/day-axis.ts'
import type { LineData } from '#web/ui/charts/line-data.ts'
import { type Dot, lineSegments } from '#web/ui/charts/segments.ts'
import { spreadLabels } from '#web/ui/charts/spread-labels.ts'

export type LineOptions = {
  data: LineData
  width: number
  height: number
  formatValue: (value: number) => string
  maxGapDays?: number
  /** Starts the axis at zero and fills the area under the line. */
  area?: boolean
  /** Last day of the axis (a number since 1970), when the lines end before it. */
  until?: number | undefined
}

export type LineLayout = ReturnType<typeof layOutLines>

const characterWidth = 6.9
// Space above the highest tick for the unit.
const spaceAbove = 30
const spaceBelow = 26
// Distance above the highest tick at which values outside the axis are drawn.
const overshoot = 10

/** Computes the layout of a line chart. Pure arithmetic, shared by the server and the browser. */
export function layOutLines(options: LineOptions) {
  const { data, width, height, formatValue, maxGapDays, area, until = 0 } = options
  const drawn = data.lines.map((line, index) => ({ ...line, index }))
  const [firstDay, lastValueDay] = [data.days[0] ?? 0, data.days.at(-1) ?? 1]
  const lastDay = Math.max(lastValueDay, until)
  const bounds = axisBounds(data, area)
  const domain = valueDomain(bounds, area)
  const ticks = niceTicks(domain, height <= 200 ? 3 : 4)
  const tickTexts = textsOfTicks(ticks)
  // Names at the ends of lines are used for at most four lines; more would overlap, so a legend names them.
  const names = new Set(drawn.map(({ label }) => truncate(label, 21)))
  // The legend is also used when two names are equal after truncation.
  const named = drawn.length > 1 && drawn.length <= 4 && width >= 560 && names.size === drawn.length
  const endTexts = drawn.map(({ label, values }) => endLabel(label, values.at(-1), formatValue, named))
  const left = Math.max(24, Math.max(0, ...tickTexts.map((text) => text.length)) * characterWidth + 10)
  const wanted =
    Math.max(0, ...endTexts.map(({ name, value }) => Math.max(name.length, value.length))) * characterWidth +
    16
  const right = width - Math.min(wanted, width * 0.34)
  const bottom = height - spaceBelow

  // A single day is centred rather than placed on the axis.
  const singleDayMargin = firstDay === lastDay ? 1 : 0
  const x = linearScale([firstDay - singleDayMargin, lastDay + singleDayMargin], [left, right])
  const inside = linearScale([ticks[0] ?? 0, ticks.at(-1) ?? 1], [bottom, spaceAbove])
  // Values outside the axis are clamped to its edge.
  const y = (value: number) => Math.max(spaceAbove - overshoot, Math.min(bottom, inside(value)))
  const at = (dot: Dot) => `${roundToTenth(x(dot.day))},${roundToTenth(y(dot.value))}`
  const mark = (dot: Dot) => `M${at(dot)}h0`
  const path = (dots: readonly Dot[]) => `M${dots.map(at).join('L')}`
  const surface = (dots: readonly Dot[]) => {
    const [from, to] = [dots[0], dots.at(-1)]
    return from && to ? `${path(dots)}V${bottom}H${roundToTenth(x(from.day))}Z` : ''
  }

  const lines = drawn.map((line) => {
    const { key, label, colour, days, values } = line
    const segments = lineSegments(line, maxGapDays)
    const singleDots = segments.filter((segment) => segment.dots.length === 1)
    const joined = segments.filter((segment) => segment.dots.length > 1)
    // Few points are marked one by one; many marks would hide the line.
    const marked = (days.length <= 31 ? segments : singleDots).flatMap((segment) => segment.dots)
    return {
      key,
      label,
      colour,
      solid: joined
        .filter((s) => !s.isProvisional)
        .map((s) => path(s.dots))
        .join(''),
      dashed: joined
        .filter((s) => s.isProvisional)
        .map((s) => path(s.dots))
        .join(''),
      area: area ? joined.map((s) => surface(s.dots)).join('') : '',
      marks: marked.map(mark).join(''),
      hollow: line.faint.map((at) => mark({ day: days[at]!, value: values[at]! })).join(''),
    }
  })

  const ends = drawn.flatMap(({ key, index, colour, days, values }) => {
    const [day, value] = [days.at(-1), values.at(-1)]
    if (day === undefined || value === undefined) return []
    return [{ key, colour, x: x(day), y: y(value), ...endTexts[index]! }]
  })
  const spread = spreadLabels(
    ends.map((end) => end.y),
    named ? 30 : 15,
    spaceAbove,
    bottom,
  )
  const outside = bounds.outside.map(({ line, day, value }) => ({
    key: `${line} ${day}`,
    colour: drawn[line]?.colour ?? 0,
    label: drawn[line]?.label ?? '',
    day,
    text: formatValue(value),
    x: x(day),
    y: y(value),
    isAbove: inside(value) < spaceAbove,
  }))
  const spaces = textSpaces(outside, width)
  return {
    width,
    height,
    left,
    right,
    top: spaceAbove,
    bottom,
    named,
    x,
    y,
    yTicks: ticks.map((tick, index) => ({ y: y(tick), text: tickTexts[index]! })),
    xTicks: dayTicks(firstDay, lastDay, {
      most: Math.max(2, Math.floor((right - left) / (width < 560 ? 58 : 84))),
      isWeekly: lastDay === lastValueDay && data.days.every((day) => (lastDay - day) % 7 === 0),
    }).map(({ day, text }) => ({
      x: x(day),
      text,
    })),
    lines,
    outside: outside.map((mark, index) => ({ ...mark, space: spaces[index]! })),
    ends: ends.map((end, index) => ({ ...end, labelY: spread[index]! })),
  }
}

/** Returns the texts of the ticks: short for large values, where rounding does not make two of them equal. */
function textsOfTicks(ticks: readonly number[]): string[] {
  const short = ticks.map(formatCompact)
  const isShort = ticks.some((tick) => Math.abs(tick) >= 100_000) && new Set(short).size === ticks.length
  return isShort ? short : ticks.map((tick) => formatNumber(tick, 6))
}

type Mark = { x: number; isAbove: boolean; text: string }
type Space = { from: number; to: number; anchor: 'start' | 'end' }

/** Returns where the text beside each mark is written; null where it would cover another mark or text. */
function textSpaces(marks: readonly Mark[], width: number): (Space | null)[] {
  const taken = marks.map(({ x, isAbove }) => ({ isAbove, from: x - 5, to: x + 5 }))
  return marks.map(({ x, isAbove, text }) => {
    const length = text.length * characterWidth
    const after: Space = { from: x + 9, to: x + 9 + length, anchor: 'start' }
    const before: Space = { from: x - 9 - length, to: x - 9, anchor: 'end' }
    const isFree = ({ from, to }: Space) =>
      from > 0 &&
      to < width &&
      taken.every((other) => other.isAbove !== isAbove || other.to < from || to < other.from)
    const space = (x > width / 2 ? [before, after] : [after, before]).find(isFree) ?? null
    if (space) taken.push({ ...space, isAbove })
    return space
  })
}

function endLabel(
  label: string,
  last: number | undefined,
  formatValue: (value: number) => string,
  named: boolean,
) {
  if (last === undefined) return { name: '', value: '' }
  return { name: named ? truncate(label, 21) : '', value: formatValue(last) }
}

/** Returns the range of the axis: an area includes zero, a line need not; equal values get a margin. */
export function valueDomain({ low, high }: Pick<LineData, 'low' | 'high'>, area = false): [number, number] {
  if (low > high) return [0, 1]
  const margin = high === low ? Math.max(1, Math.abs(high) * 0.05) : (high - low) * 0.08
  const from = area ? Math.min(0, low) : low >= 0 ? Math.max(0, low - margin) : low - margin
  const top = area ? Math.max(0, high) : high
  return [from, top + margin]
}

/** Rounds a coordinate, so that paths are short. */
export function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10
}
