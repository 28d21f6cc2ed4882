import { useMemo } from 'react'
import { formatNumber } from '#web/format.ts'
import { ChartFrame, type ChartFrameProps } from '#web/ui/charts/chart-frame.tsx'
import { linkWithin } from '#web/ui/charts/link-within.tsx'
import { PiePlot } from '#web/ui/charts/pie-plot.view.tsx'
import { type PieItem, pieSlices } from '#web/ui/charts/pie-slices.ts'

type PieChartProps = ChartFrameProps & {
  items: readonly PieItem[]
  /** Column titles of the table: what the items are, and what their values are. */
  columns: readonly [name: string, value: string]
  formatValue?: (value: number) => string
  /** Maximum number of characters of a name. */
  nameLength?: number
}

/** A ring chart of shares of a total: at most eight slices, the rest as « Autres »; the table lists all items. */
export function PieChart({
  items,
  columns,
  formatValue = formatNumber,
  nameLength,
  ...frame
}: PieChartProps) {
  const slices = useMemo(() => pieSlices(items, nameLength), [items, nameLength])
  return (
    <ChartFrame
      {...frame}
      isEmpty={slices.length === 0}
      placeholder="h-50"
      makeTable={() => {
        const total = items.reduce((sum, { value }) => sum + value, 0)
        const ordered = items.toSorted((a, b) => b.value - a.value)
        return {
          columns: [...columns, 'Part (%)'],
          rows: ordered.map(({ name, value }) => [name, value, Math.round((1000 * value) / total) / 10]),
          hrefs: ordered.map(({ href }) => href),
          texts: (cell, column) => (column === 1 ? formatValue(Number(cell)) : cellText(cell)),
        }
      }}
    >
      {(showTable) => (
        <PiePlot
          title={frame.title}
          slices={slices}
          formatValue={formatValue}
          renderLink={linkWithin}
          renderOthers={(name) => (
            <button
              type="button"
              // An `aria-label` rather than hidden text, because the chart's image copies the text of the legend.
              aria-label={`${name}\u00a0: toutes les données`}
              onClick={showTable}
              className="hover:underline"
            >
              {name}
            </button>
          )}
        />
      )}
    </ChartFrame>
  )
}

function cellText(cell: string | number | null): string {
  return typeof cell === 'number' ? formatNumber(cell, 1) : (cell ?? '—')
}
