import type { ReactNode } from 'react'
import { Details } from '#web/crud/details.tsx'
import type { ListColumn } from '#web/crud/screens.ts'
import { type Column, titleColumn } from '#web/ui/columns.ts'

type Contract = { labels: Readonly<Record<string, string>>; sortable: readonly string[] }
type Lead<Row> = { detailPath?: (row: Row) => string; onDetail?: (row: Row) => void }

/**
 * Returns the table columns of a resource, with the titles and sorting of its contract; the row's name links to its
 * details.
 */
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

/** Underlines a plain name on hover; other content sets its own style. */
function underlined(content: ReactNode): ReactNode {
  return typeof content === 'string' ? <span className="group-hover/link:underline">{content}</span> : content
}
