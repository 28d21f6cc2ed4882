import { arc, pie } from 'd3-shape'
import { useMemo } from 'react'
import { formatPercent } from '#web/format.ts'
import { ChartFrame, type ChartFrameProps } from '#web/ui/charts/chart-frame.tsx'
import { type PieItem, pieSlices } from '#web/ui/charts/pie-slices.ts'
import { fills, grounds } from '#web/ui/charts/series-colours.ts'
import { isWord, shortUnitFormat } from '#web/ui/charts/unit-format.ts'

export type PieChartProps = ChartFrameProps & {
  items: readonly PieItem[]
  unit: string
  itemName: string
  formatValue?: (value: number) => string
  /** Slices shown; the rest is « Autres ». */
  most?: number
}

const SIZE = 176
const ring = arc<{ startAngle: number; endAngle: number }>()
  .innerRadius(SIZE / 3.2)
  .outerRadius(SIZE / 2)
const angles = pie<PieItem>()
  .value(({ value }) => value)
  .sort(null)

/** Shares of a whole, at most eight, each written beside its name: the ring only helps. */
export function PieChart({ items, unit, itemName, formatValue, most = 8, ...frame }: PieChartProps) {
  const write = useMemo(() => formatValue ?? shortUnitFormat(unit), [formatValue, unit])
  const slices = useMemo(() => pieSlices(items, most), [items, most])
  const total = slices.reduce((sum, { value }) => sum + value, 0)
  return (
    <ChartFrame
      {...frame}
      isEmpty={total === 0}
      placeholder="h-50"
      makeTable={() => ({
        columns: [itemName, unit, 'Part (%)'],
        rows: items.map(({ label, value }) => [label, value, Math.round((value / total) * 1000) / 10]),
        texts: (cell, column) =>
          column === 0
            ? String(cell)
            : column === 1
              ? write(Number(cell))
              : formatPercent(Number(cell), false),
      })}
    >
      <div className="flex flex-wrap items-center gap-x-8 gap-y-4">
        <svg
          viewBox={`0 0 ${SIZE} ${SIZE}`}
          className="mx-auto size-44 shrink-0"
          aria-hidden="true"
          focusable="false"
        >
          <g transform={`translate(${SIZE / 2},${SIZE / 2})`}>
            {angles(slices).map((slice, index) => (
              <path
                key={slice.data.key}
                className={`stroke-surface ${fills[index % fills.length]}`}
                strokeWidth="2"
                d={ring(slice) ?? undefined}
              />
            ))}
            {isWord(unit) && (
              <>
                <text className="fill-ink text-lg font-semibold" y="2" textAnchor="middle">
                  {write(total)}
                </text>
                <text className="fill-ink-soft text-xs" y="20" textAnchor="middle">
                  {unit}
                </text>
              </>
            )}
          </g>
        </svg>
        <ul data-legend className="min-w-48 flex-1 divide-y divide-line">
          {slices.map((slice, index) => (
            <li key={slice.key} className="flex items-center gap-2.5 py-1.5">
              <span
                className={`size-2.5 shrink-0 rounded-full ${grounds[index % grounds.length]}`}
                aria-hidden
              />
              <span className="min-w-0 flex-1 wrap-anywhere">{slice.label}</span>
              <span className="font-medium">{write(slice.value)}</span>
              <span className="w-14 text-right text-ink-soft">
                {formatPercent((slice.value / total) * 100, false)}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </ChartFrame>
  )
}
