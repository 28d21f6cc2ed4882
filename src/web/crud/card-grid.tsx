import type { ReactNode } from 'react'
import type { Column } from '#web/ui/columns.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

type CardGridProps<Row> = {
  /** Accessible name of the list. */
  label: string
  /** Columns shown on the card; those whose `card` is `title` are under the title, without a header. */
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => number
  title: (row: Row) => ReactNode
  actions: (row: Row) => ReactNode
  /** Number of placeholders while loading. */
  loading: number | false
  refetching: boolean
}

/** A grid with one card per row: its name, its columns and its actions. */
export function CardGrid<Row>(props: CardGridProps<Row>) {
  const { label, columns, rows, rowKey, title, actions, loading, refetching } = props
  return (
    <ul
      aria-label={label}
      aria-busy={loading !== false || refetching}
      className={`grid grid-cols-[repeat(auto-fill,minmax(min(100%,19rem),1fr))] gap-4 transition-opacity duration-150 ${refetching ? 'opacity-55' : ''}`}
    >
      {loading !== false
        ? Array.from({ length: loading }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: stand-ins have no identity, and never a row’s.
            <Card key={-1 - index} title={<Skeleton className="h-4 w-40" />} columns={columns} />
          ))
        : rows.map((row) => (
            <Card key={rowKey(row)} title={title(row)} columns={columns} row={row} actions={actions(row)} />
          ))}
    </ul>
  )
}

type CardProps<Row> = {
  title: ReactNode
  columns: readonly Column<Row>[]
  /** Absent while loading: the card keeps the same height. */
  row?: Row
  actions?: ReactNode
}

function Card<Row>({ title, columns, row, actions }: CardProps<Row>) {
  const leads = columns.filter(({ card }) => card === 'title')
  const lines = columns.filter(({ card = 'line' }) => card === 'line')
  const show = (column: Column<Row>, skeleton: string) =>
    row === undefined ? <Skeleton className={skeleton} /> : column.cell(row)
  return (
    <li className="flex min-w-0 flex-col rounded-md border border-line bg-surface">
      <h2 className="flex min-h-11 items-center px-4 pt-3 text-base font-semibold wrap-anywhere">{title}</h2>
      {leads.map((column) => (
        <div key={column.key} className="min-h-5 px-4 pb-3 text-ink-soft wrap-anywhere">
          {show(column, 'h-3.5 w-48')}
        </div>
      ))}
      <dl className="mt-auto space-y-1.5 px-4 pb-3">
        {lines.map((column) => (
          <div key={column.key} className="flex min-h-5 items-baseline justify-between gap-4">
            <dt className="shrink-0 text-ink-soft">{column.header}</dt>
            <dd className="min-w-0 text-right wrap-anywhere">{show(column, 'h-3.5 w-24')}</dd>
          </div>
        ))}
      </dl>
      <div className="flex min-h-12 flex-wrap items-center border-t border-line px-1">{actions}</div>
    </li>
  )
}
