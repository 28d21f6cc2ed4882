import type { ReactNode } from 'react'
import { Details } from '#web/crud/details.tsx'
import type { ListColumn } from '#web/crud/screens.ts'
import { type Column, titleColumn } from '#web/ui/columns.ts'

type Contract = { labels: Readonly<Record<string, string>>; sortable: readonly string[] }
type Lead<Row> = { detailPath?: (row: Row) => string; onDetail?: (row: Row) => void }

/** The columns of a table of a resource: named and sorted as its contract says, and what a row is called leads to it. */
export function lineColumns<Row>(
  { labels, sortable }: Contract,
  columns: readonly ListColumn<Row, string>[],
  { detailPath, onDetail }: Lead<Row>,
): Column<Row>[] {
  const named = columns.map((column) => ({
    ...column,
    header: column.header ?? labels[column.key] ?? column.key,
    sortable: sortable.includes(column.key),
  }))
  const title = titleColumn(named)
  return named.map((column) =>
    column !== title
      ? column
      : {
          ...column,
          cell: (row) => (
            <Details
              path={detailPath?.(row)}
              onOpen={() => onDetail?.(row)}
              className="group/link block min-w-0 text-left font-medium hover:text-river in-[ul]:min-h-11"
            >
              {underlined(column.cell(row))}
            </Details>
          ),
        },
  )
}

/** A name alone is underlined while it is pointed at; what stands beside one decides for itself. */
function underlined(content: ReactNode): ReactNode {
  return typeof content === 'string' ? <span className="group-hover/link:underline">{content}</span> : content
}
