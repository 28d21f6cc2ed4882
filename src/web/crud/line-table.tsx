import { lineColumns } from '#web/crud/line-columns.tsx'
import { LineActions, type Opened } from '#web/crud/row-actions.tsx'
import type { AnyRow, Subject } from '#web/crud/screens.ts'
import { wordsOf } from '#web/crud/words.ts'
import { Table, type TableProps } from '#web/ui/table.tsx'

type LineTableProps<Row> = Omit<TableProps<Row>, 'caption' | 'columns' | 'rowKey' | 'actions'> & {
  subject: Subject<Row>
  onOpen: (opened: Opened<Row>) => void
}

/** A table with one row per line, sorted by its headers: the name links to the details, and icons start the actions. */
export function LineTable<Row extends AnyRow>({ subject, onOpen, ...rest }: LineTableProps<Row>) {
  const { resource, screens } = subject
  const { detailPath } = screens
  const onDetail = (row: Row) => onOpen({ dialog: 'detail', row })
  return (
    <Table
      {...rest}
      caption={screens.title ?? wordsOf(resource.noun).title}
      columns={lineColumns(resource, screens.columns, { detailPath, onDetail })}
      rowKey={(row) => row.id}
      actions={(row) => <LineActions subject={subject} row={row} onOpen={onOpen} />}
    />
  )
}
