import { useMemo } from 'react'
import { formatDate } from '#web/format.ts'
import { ChartFrame, type ChartFrameProps } from '#web/ui/charts/chart-frame.tsx'
import type { ChartTable } from '#web/ui/charts/chart-table.ts'
import { LineCursor } from '#web/ui/charts/line-cursor.tsx'
import { type LineSeries, layOutLines } from '#web/ui/charts/line-layout.ts'
import { LinePlot } from '#web/ui/charts/line-plot.view.tsx'
import { grounds } from '#web/ui/charts/series-colours.ts'
import { unitFormat } from '#web/ui/charts/unit-format.ts'
import { useWidth } from '#web/ui/charts/use-width.ts'

export type LineChartProps = ChartFrameProps & {
  /** One to four. */
  series: readonly LineSeries[]
  /** `FC`, `$US`, `%`, or a word (« relevés »). */
  unit: string
  formatValue?: (value: number) => string
  /** A silence longer than this many days is a gap. */
  maxGapDays?: number
  /** From zero, with the surface filled: for amounts and counts. */
  area?: boolean
  height?: 'sm' | 'md'
}

const heights = { sm: 200, md: 300 }
const placeholders = { sm: 'h-50', md: 'h-75' }

/** Values by day, one to four lines. Read with the mouse, a finger, the arrow keys, or as a table. */
export function LineChart(props: LineChartProps) {
  const { series, unit, maxGapDays, area, height = 'md', formatValue, ...frame } = props
  const [box, width] = useWidth()
  const write = useMemo(() => formatValue ?? unitFormat(unit), [formatValue, unit])
  const layout = useMemo(
    () =>
      width
        ? layOutLines({ series, width, height: heights[height], formatValue: write, maxGapDays, area })
        : null,
    [series, width, height, write, maxGapDays, area],
  )
  const facts = useMemo(() => readFacts(series), [series])
  const table = useMemo(() => toTable(series, facts.days, unit, write), [series, facts.days, unit, write])
  return (
    <ChartFrame
      {...frame}
      source={{ count: facts.count, last: facts.days.at(-1), ...frame.source }}
      table={table}
      isEmpty={facts.days.length === 0}
      placeholder={placeholders[height]}
    >
      {series.length > 1 && layout && !layout.named && <Legend series={series} />}
      <div ref={box} className={`relative ${placeholders[height]}`}>
        {layout && (
          <>
            <LinePlot layout={layout} unit={unit} className="block size-full" />
            <LineCursor title={props.title} layout={layout} series={series} days={facts.days} write={write} />
          </>
        )}
      </div>
    </ChartFrame>
  )
}

function Legend({ series }: { series: readonly LineSeries[] }) {
  return (
    <ul className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-xs">
      {series.map((one, index) => (
        <li key={one.key} className="flex items-center gap-1.5">
          <span className={`h-0.5 w-4 rounded-full ${grounds[index]}`} aria-hidden />
          {one.label}
        </li>
      ))}
    </ul>
  )
}

/** Days with at least one value, in order, and how many prices they rest on when that is known. */
function readFacts(series: readonly LineSeries[]): { days: string[]; count: number | undefined } {
  const days = new Set<string>()
  let count: number | undefined
  for (const { points } of series) {
    for (const point of points) {
      if (point.value === null || !Number.isFinite(point.value)) continue
      days.add(point.date.slice(0, 10))
      if (point.count !== undefined) count = (count ?? 0) + point.count
    }
  }
  return { days: [...days].sort(), count }
}

function toTable(
  series: readonly LineSeries[],
  days: readonly string[],
  unit: string,
  write: (value: number) => string,
): ChartTable {
  const byDay = series.map(({ points }) => new Map(points.map((point) => [point.date.slice(0, 10), point])))
  const counted = series.length === 1 && series[0]?.points.some(({ count }) => count !== undefined)
  const rows = days.toReversed().map((day) => {
    const values = byDay.map((points) => points.get(day)?.value ?? null)
    return counted ? [day, ...values, byDay[0]?.get(day)?.count ?? null] : [day, ...values]
  })
  return {
    columns: ['Date', ...series.map(({ label }) => `${label} (${unit})`), ...(counted ? ['Relevés'] : [])],
    rows,
    texts: (cell, column) => {
      if (cell === null) return '—'
      if (column === 0) return formatDate(String(cell))
      return column <= series.length ? write(Number(cell)) : String(cell)
    },
  }
}
