import { useMemo } from 'react'
import { truncate } from '#web/format.ts'
import { BarPlot } from '#web/ui/charts/bar-plot.view.tsx'
import { ChartFrame, type ChartFrameProps } from '#web/ui/charts/chart-frame.tsx'
import { isWord, shortUnitFormat } from '#web/ui/charts/unit-format.ts'
import { useWidth } from '#web/ui/charts/use-width.ts'

export type BarItem = { key: string | number; label: string; value: number }

export type BarChartProps = ChartFrameProps & {
  items: readonly BarItem[]
  /** What is counted: « relevés », `FC`. */
  unit: string
  /** First column of the table: « Marché ». */
  itemName: string
  formatValue?: (value: number) => string
  maxLabel?: number
}

/** Horizontal bars from zero, names at the left, values at the end. The table gives the whole names. */
export function BarChart({ items, unit, itemName, formatValue, maxLabel = 15, ...frame }: BarChartProps) {
  const [box, width] = useWidth()
  const write = useMemo(() => formatValue ?? shortUnitFormat(unit), [formatValue, unit])
  return (
    <ChartFrame
      {...frame}
      isEmpty={items.length === 0}
      placeholder="h-50"
      makeTable={() => ({
        columns: [itemName, unit],
        rows: items.map(({ label, value }) => [label, value]),
        texts: (cell, column) => (column === 0 || cell === null ? String(cell ?? '—') : write(Number(cell))),
      })}
    >
      <div ref={box}>
        {width > 0 && (
          <BarPlot
            width={width}
            unit={isWord(unit) ? unit : ''}
            title={frame.title}
            bars={items.map(({ key, label, value }) => ({
              key,
              label: truncate(label, maxLabel),
              name: label,
              value,
              text: write(value),
            }))}
          />
        )}
      </div>
    </ChartFrame>
  )
}
