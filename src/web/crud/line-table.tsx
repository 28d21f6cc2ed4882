import type { ReactNode } from 'react'
import { Details, LineActions, type Opened } from '#web/crud/row-actions.tsx'
import { type AnyRow, columnsOf, type ListQuery, type Subject } from '#web/crud/screens.ts'
import { wordsOf } from '#web/crud/words.ts'
import { type ListState, sortParameter } from '#web/list-state.ts'
import { type ColumnChoice, titleColumn } from '#web/ui/columns.ts'
import { type SortState, Table } from '#web/ui/table.tsx'

type LineTableProps<Row> = {
  subject: Subject<Row>
  layout: { ownOrder?: SortState; cards?: string }
  choice: ColumnChoice
  list: ListState<ListQuery>
  rows: readonly Row[]
  loading: boolean
  refetching: boolean
  error: ReactNode
  empty: ReactNode
  onOpen: (opened: Opened<Row>) => void
}

/** One line for each row, sorted by the headers: its name leads to its details, and icons to what can be done with it. */
export function LineTable<Row extends AnyRow>(props: LineTableProps<Row>) {
  const { subject, layout, list, onOpen, ...rest } = props
  const { resource, screens } = subject
  const named = columnsOf(subject)
  const title = titleColumn(named)
  const columns = named.map((column) => ({
    ...column,
    sortable: resource.sortable.includes(column.key),
    ...(column === title && {
      cell: (row: Row) => (
        <Details
          path={screens.detailPath?.(row)}
          onOpen={() => onOpen({ dialog: 'detail', row })}
          className="min-w-0 text-left font-medium hover:text-river hover:underline in-[ul]:flex in-[ul]:min-h-11 in-[ul]:items-center"
        >
          {column.cell(row)}
        </Details>
      ),
    }),
  }))
  return (
    <Table
      {...rest}
      caption={screens.title ?? wordsOf(resource.noun).title}
      columns={columns}
      cards={layout.cards}
      rowKey={(row) => row.id}
      skeletonRows={list.query.limit}
      sort={list.sort ?? layout.ownOrder}
      onSort={(sort) => list.setSort(sortParameter(sort))}
      actions={(row) => <LineActions subject={subject} row={row} onOpen={onOpen} />}
    />
  )
}
