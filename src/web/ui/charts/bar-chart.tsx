import { useMemo } from 'react'
import { formatNumber } from '#web/format.ts'
import { type BarItem, layOutBars } from '#web/ui/charts/bar-layout.ts'
import { BarPlot } from '#web/ui/charts/bar-plot.view.tsx'
import { ChartFrame, type ChartFrameProps } from '#web/ui/charts/chart-frame.tsx'
import { linkWithin } from '#web/ui/charts/link-within.tsx'
import { useSize } from '#web/ui/charts/use-size.ts'

type BarChartProps = ChartFrameProps & {
  items: readonly BarItem[]
  /** Column titles of the table: what the items are, then what each of their values is. */
  columns: readonly [name: string, ...values: string[]]
  formatValue?: (value: number) => string
  /** Maximum number of characters of a name. */
  nameLength?: number
}

/** A horizontal bar chart of amounts or counts, from zero. */
export function BarChart({
  items,
  columns,
  formatValue = formatNumber,
  nameLength,
  ...frame
}: BarChartProps) {
  const [box, width] = useSize()
  const layout = useMemo(
    () => (width ? layOutBars({ items, width, formatValue, nameLength }) : null),
    [items, width, formatValue, nameLength],
  )
  return (
    <ChartFrame
      {...frame}
      isEmpty={items.length === 0}
      placeholder="h-50"
      makeTable={() => ({
        columns,
        rows: items.map(({ name, values }) => [name, ...values]),
        hrefs: items.map(({ href }) => href),
        texts: (cell) => (typeof cell === 'number' ? formatValue(cell) : (cell ?? '—')),
      })}
    >
      <div ref={box} className="min-h-40">
        {layout && (
          <BarPlot
            title={frame.title}
            layout={layout}
            labels={columns.slice(1)}
            renderLink={linkWithin}
            className="block w-full"
          />
        )}
      </div>
    </ChartFrame>
  )
}
