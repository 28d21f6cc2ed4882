import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { memo, type ReactNode, useDeferredValue, useId } from 'react'
import { type Column, type ColumnChoice, shownColumns, spareColumns } from '#web/ui/columns.ts'
import { narrowScreen, useMediaQuery } from '#web/ui/media-query.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { freshClass, TableCards } from '#web/ui/table-cards.tsx'
import { useOverflow } from '#web/ui/use-overflow.ts'

export type SortState = { key: string; direction: 'asc' | 'desc' }

export type TableProps<Row> = {
  /** Accessible name of the table: « Marques ». */
  caption: string
  columns: readonly Column<Row>[]
  /** The columns that the user chose; the default ones when absent. */
  choice?: ColumnChoice
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
  /** Whether a row is new: it is highlighted for a while. */
  isFresh?: (row: Row) => boolean
  sort?: SortState
  onSort?: (sort: SortState) => void
  /** Icon buttons at the end of the row. */
  actions?: (row: Row) => ReactNode
  /** Whether to show skeleton rows. */
  loading?: boolean
  skeletonRows?: number
  /** Whether newer rows are loading: the current ones stay, dimmed. */
  refetching?: boolean
  /** An EmptyState, shown when there are no rows. */
  empty?: ReactNode
  /** An ErrorState, shown instead of the rows. */
  error?: ReactNode
  /** Media query under which rows become cards: below 640 px by default, wider for a table of many columns. */
  cards?: string
}

/**
 * Rows as a table with a sticky header, or as cards when it is too narrow for a table. Rendered with a lower priority
 * than the rest of the page and keyboard input.
 */
export function Table<Row>(props: TableProps<Row>) {
  return <Rows {...useDeferredValue(props)} />
}

/** Height of a row of one line. */
const rowRem = 2.8

const Rows = memo(AnyRows) as typeof AnyRows

function AnyRows<Row>(props: TableProps<Row>) {
  const narrow = useMediaQuery(props.cards ?? narrowScreen)
  if (props.error) return <Frame>{props.error}</Frame>
  if (!props.loading && props.rows.length === 0) return <Frame>{props.empty}</Frame>
  return narrow ? <TableCards {...props} /> : <WideTable {...props} />
}

function WideTable<Row>(props: TableProps<Row>) {
  const {
    caption,
    rows,
    rowKey,
    isFresh,
    sort,
    onSort,
    actions,
    loading,
    skeletonRows = 10,
    refetching,
  } = props
  const all = shownColumns(props.columns, props.choice).map(({ column }) => column)
  const [frame, overflows, hidden] = useOverflow(spareColumns(all, props.choice), loading)
  const columns = all.filter(({ key }) => !hidden.includes(key))
  const id = useId()
  return (
    <div
      ref={frame}
      // A table wider than its frame scrolls inside it, and the frame must be focusable. Otherwise the frame must not
      // clip, or the header would not stick to the page. Not a landmark, because the section around it often has the
      // same name.
      {...(overflows && { role: 'group', 'aria-labelledby': id, tabIndex: 0 })}
      // Off screen, the cells are neither laid out nor painted until the user scrolls to them; until then the frame has
      // about the height of its rows.
      style={{
        containIntrinsicBlockSize: `auto ${rowRem * (1 + (loading ? skeletonRows : rows.length))}rem`,
      }}
      className={`rounded-md border border-line bg-surface [content-visibility:auto] ${overflows ? 'overflow-x-auto [--sticky-top:0px]' : ''}`}
    >
      <table
        className="w-full border-separate border-spacing-0"
        aria-busy={loading || refetching || undefined}
      >
        <caption id={id} className="sr-only">
          {caption}
        </caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeaderCell key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
            {actions && (
              <th scope="col" className={`${headerClass} ${overflows ? besideScrolled : ''}`}>
                <span className="sr-only">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody className={`transition-opacity duration-150 ${refetching ? 'opacity-55' : ''}`}>
          {loading
            ? Array.from({ length: skeletonRows }, (_, index) => (
                <SkeletonRow
                  // biome-ignore lint/suspicious/noArrayIndexKey: stand-ins have no identity, and never a row’s.
                  key={-1 - index}
                  columns={columns}
                  index={index}
                  withActions={Boolean(actions)}
                />
              ))
            : rows.map((row) => (
                <tr
                  key={rowKey(row)}
                  className={`group hover:bg-sunken/60 ${isFresh?.(row) ? freshClass : ''}`}
                >
                  {columns.map((column) => (
                    <td
                      key={column.key}
                      className={`${cellClass} ${alignment(column)} ${column.className ?? ''}`}
                    >
                      {column.cell(row)}
                    </td>
                  ))}
                  {actions && (
                    <td
                      className={`${cellClass} py-0 pr-2 text-right ${overflows ? `sticky bg-surface ${besideScrolled}` : ''}`}
                    >
                      <div className="flex justify-end">{actions(row)}</div>
                    </td>
                  )}
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  )
}

const headerClass =
  'sticky top-(--sticky-top) z-10 h-11 border-b border-line bg-surface px-3 text-left first:pl-4 last:pr-4 text-xs font-medium whitespace-nowrap text-ink-soft first:rounded-tl-md last:rounded-tr-md'
const cellClass = 'h-11 border-b border-line px-3 py-2 first:pl-4 last:pr-4 group-last:border-b-0'

/**
 * Classes of the actions column, which stays visible while the columns before it scroll under it; the border shows
 * that.
 */
const besideScrolled = 'right-0 border-l border-line'

function alignment<Row>(column: Column<Row>): string {
  return column.align === 'end' ? 'text-right whitespace-nowrap' : 'text-left'
}

type HeaderCellProps<Row> = Pick<TableProps<Row>, 'sort' | 'onSort'> & { column: Column<Row> }

function HeaderCell<Row>({ column, sort, onSort }: HeaderCellProps<Row>) {
  const end = column.align === 'end'
  if (!column.sortable || !onSort) {
    return (
      <th scope="col" className={`${headerClass} ${end ? 'text-right' : ''}`}>
        {column.header}
      </th>
    )
  }
  const direction = sort?.key === column.key ? sort.direction : undefined
  const Icon = direction === 'asc' ? ArrowUp : direction === 'desc' ? ArrowDown : ChevronsUpDown
  return (
    <th
      scope="col"
      aria-sort={direction === 'asc' ? 'ascending' : direction === 'desc' ? 'descending' : 'none'}
      className={`${headerClass} ${end ? 'text-right' : ''}`}
    >
      <button
        type="button"
        onClick={() => onSort({ key: column.key, direction: direction === 'asc' ? 'desc' : 'asc' })}
        className={`-mx-2 inline-flex h-11 items-center gap-1 rounded-md px-2 hover:text-ink ${direction ? 'text-ink' : ''} ${end ? 'flex-row-reverse' : ''}`}
      >
        {column.header}
        <Icon className={`size-3.5 ${direction ? '' : 'opacity-60'}`} aria-hidden />
      </button>
    </th>
  )
}

const widths = ['w-32', 'w-24', 'w-28', 'w-20', 'w-36']

function SkeletonRow<Row>(props: { columns: readonly Column<Row>[]; index: number; withActions: boolean }) {
  const { columns, index, withActions } = props
  return (
    <tr className="group">
      {columns.map((column, position) => (
        <td key={column.key} className={`${cellClass} ${column.className ?? ''}`}>
          <Skeleton
            className={`h-3.5 ${widths[(index + position * 2) % widths.length]} ${column.align === 'end' ? 'ml-auto' : ''}`}
          />
        </td>
      ))}
      {withActions && (
        <td className={cellClass}>
          <Skeleton className="ml-auto h-3.5 w-16" />
        </td>
      )}
    </tr>
  )
}

function Frame({ children }: { children: ReactNode }) {
  return <div className="rounded-md border border-line bg-surface">{children}</div>
}
