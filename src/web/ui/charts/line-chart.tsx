import { use, useMemo } from 'react'
import { capitalise, formatCount, formatDate, formatNumber } from '#web/format.ts'
import { ChartFrame, type ChartFrameProps } from '#web/ui/charts/chart-frame.tsx'
import type { ChartTable } from '#web/ui/charts/chart-table.ts'
import { ChartWordsContext } from '#web/ui/charts/chart-words.ts'
import { dayNumber, dayText } from '#web/ui/charts/day-axis.ts'
import { LineCursor } from '#web/ui/charts/line-cursor.tsx'
import { type LineData, type LineSeries, lastDay, parseAllSeries, pointOn } from '#web/ui/charts/line-data.ts'
import { type LineLayout, layOutLines } from '#web/ui/charts/line-layout.ts'
import { LinePlot } from '#web/ui/charts/line-plot.view.tsx'
import { backgrounds } from '#web/ui/charts/series-colours.ts'
import { unitFormat } from '#web/ui/charts/unit-format.ts'
import { useSize } from '#web/ui/charts/use-size.ts'

export type LineChartProps = ChartFrameProps & {
  /** One to six series. */
  series: readonly LineSeries[]
  /** `FC`, `$US`, `%`, or a noun (« relevés »). */
  unit: string
  formatValue?: (value: number) => string
  /** More days than this without a value are a gap in the line. */
  maxGapDays?: number
  /** Starts the axis at zero and fills the area under the line: for amounts and counts. */
  area?: boolean
  height?: 'sm' | 'md'
  /** Last day of the axis, `yyyy-mm-dd`; the part after the last value remains empty. */
  until?: string | undefined
  /** Additional columns of the table and the file for each day. */
  besides?: readonly Beside[]
  /** Text before the day in the reading, when the point stands for more than that day. */
  beforeDay?: string
}

type Beside = { title: string; of: (day: string) => string | number | null }

// Minimum heights: beside a taller element, a chart takes all the available height.
const heights = { sm: 'min-h-50', md: 'min-h-75' }
const placeholders = { sm: 'h-50', md: 'h-75' }

/**
 * A line chart of values by day, with one to six lines. Values are read with the mouse, touch, the arrow keys, or as a
 * table.
 */
export function LineChart(props: LineChartProps) {
  const { series, unit, maxGapDays, area, height = 'md', formatValue, beforeDay = '', ...others } = props
  const { until, besides = [], ...frame } = others
  const { many } = use(ChartWordsContext)
  const [box, width, room] = useSize()
  const write = useMemo(() => formatValue ?? unitFormat(unit), [formatValue, unit])
  const data = useMemo(() => parseAllSeries(series), [series])
  const layout = useMemo(
    () =>
      width
        ? layOutLines({
            data,
            width,
            height: room,
            formatValue: write,
            maxGapDays,
            area,
            until: until ? dayNumber(until) : undefined,
          })
        : null,
    [data, width, room, write, maxGapDays, area, until],
  )
  return (
    <ChartFrame
      {...frame}
      source={{ count: data.count, last: lastDay(data), ...frame.source }}
      makeTable={() =>
        toTable(data, {
          unit,
          day: capitalise(beforeDay.trim()) || 'Date',
          counted: capitalise(many),
          write,
          besides,
        })
      }
      isEmpty={data.days.length === 0}
      placeholder={placeholders[height]}
    >
      {series.length > 1 && layout && !layout.named && <Legend series={series} />}
      <div ref={box} className={`relative grow ${heights[height]}`}>
        {layout && (
          <>
            <LinePlot layout={layout} unit={unit} className="absolute inset-0 size-full" />
            <LineCursor title={props.title} layout={layout} data={data} write={write} beforeDay={beforeDay} />
          </>
        )}
      </div>
      {layout && layout.outside.length > 0 && <Outside layout={layout} />}
    </ChartFrame>
  )
}

const mostListed = 3

/** Text that lists the values outside the axis. */
function Outside({ layout: { outside, lines } }: { layout: LineLayout }) {
  const listed = outside
    .slice(0, mostListed)
    .map(({ text, day, label }) =>
      [`${text} le ${formatDate(dayText(day))}`, lines.length > 1 && label].filter(Boolean).join(', '),
    )
  const more = outside.length - listed.length
  return (
    <p className="mt-2 text-xs text-ink-soft">
      {`Hors de l’axe, trop loin des autres pour ne pas les écraser\u00a0: ${listed.join('\u202f; ')}${more > 0 ? `\u202f; et ${formatCount(more, 'autre', 'autres')}` : ''}.`}
    </p>
  )
}

function Legend({ series }: { series: readonly LineSeries[] }) {
  return (
    <ul data-legend className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-xs">
      {series.map((one, index) => (
        <li key={one.key} className="flex items-center gap-1.5">
          <span className={`h-0.5 w-4 rounded-full ${backgrounds[one.colour ?? index]}`} aria-hidden />
          {one.label}
        </li>
      ))}
    </ul>
  )
}

type Words = {
  unit: string
  day: string
  counted: string
  write: (value: number) => string
  besides: readonly Beside[]
}

function toTable({ lines, days, count }: LineData, words: Words): ChartTable {
  const { unit, day: named, counted, write, besides } = words
  const isCounted = lines.length === 1 && count !== undefined
  const isNoted = lines.some(({ points }) => points.some(({ note }) => note))
  const rows = days.toReversed().map((day) => {
    const points = lines.map((line) => pointOn(line, day))
    return [
      dayText(day),
      ...points.map((point) => point?.value ?? null),
      ...(isCounted ? [points[0]?.count ?? null] : []),
      ...(isNoted ? [points.find((point) => point?.note)?.note ?? null] : []),
      ...besides.map(({ of }) => of(dayText(day))),
    ]
  })
  return {
    columns: [
      named,
      ...lines.map(({ label }) => (label.toLowerCase() === unit ? label : `${label} (${unit})`)),
      ...(isCounted ? [counted] : []),
      ...(isNoted ? ['Remarque'] : []),
      ...besides.map(({ title }) => title),
    ],
    rows,
    texts: (cell, column) => {
      if (cell === null) return column <= lines.length ? '—' : ''
      if (column === 0) return formatDate(String(cell))
      if (column <= lines.length) return write(Number(cell))
      return typeof cell === 'number' ? formatNumber(cell) : String(cell)
    },
  }
}
