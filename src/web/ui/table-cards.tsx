import { ArrowDown, ArrowUp } from 'lucide-react'
import { IconButton } from '#web/ui/button.tsx'
import { type Column, shownColumns } from '#web/ui/columns.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { TableProps } from '#web/ui/table.tsx'

/** Class that highlights a new row. */
export const freshClass = 'bg-river-soft'

/** The rows as cards, for phones: one card each, with the two or three most important values. */
export function TableCards<Row>(props: TableProps<Row>) {
  const { caption, rows, rowKey, isFresh, actions, loading, skeletonRows = 10, refetching } = props
  const shown = shownColumns(props.columns, props.choice, true)
  const titles = shown.filter(({ place }) => place === 'title').map(({ column }) => column)
  const lines = shown.filter(({ place }) => place === 'line').map(({ column }) => column)
  return (
    <div className="space-y-3">
      <SortSelect {...props} />
      <ul
        aria-label={caption}
        aria-busy={loading || refetching || undefined}
        className={`divide-y divide-line rounded-md border border-line bg-surface transition-opacity duration-150 ${refetching ? 'opacity-55' : ''}`}
      >
        {loading
          ? Array.from({ length: skeletonRows }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: stand-ins have no identity, and never a row’s.
              <SkeletonCard key={-1 - index} lines={lines.length} />
            ))
          : rows.map((row) => (
              <li
                key={rowKey(row)}
                className={`py-3 pr-1.5 pl-4 transition-colors ${isFresh?.(row) ? freshClass : ''}`}
              >
                <div className="flex min-h-11 items-center gap-2">
                  <div className="min-w-0 flex-1 font-medium wrap-anywhere [&_a]:flex [&_a]:min-h-11 [&_a]:items-center">
                    {titles.map((column) => (
                      <div key={column.key}>{column.cell(row)}</div>
                    ))}
                  </div>
                  {actions && <div className="flex shrink-0">{actions(row)}</div>}
                </div>
                <Lines row={row} columns={lines} />
              </li>
            ))}
      </ul>
    </div>
  )
}

function Lines<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) {
  if (columns.length === 0) return null
  return (
    <dl className="mt-1 space-y-1.5 pr-2.5">
      {columns.map((column) => (
        // A value too long to fit beside its name goes below it.
        <div key={column.key} className="flex flex-wrap items-baseline gap-x-4">
          <dt className="shrink-0 text-xs text-ink-soft">{column.header}</dt>
          <dd
            className={`ml-auto min-w-0 text-right ${column.align === 'end' ? 'whitespace-nowrap' : 'wrap-anywhere'}`}
          >
            {column.cell(row)}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Sort order as a choice above the cards, which have no headers to click. */
function SortSelect<Row>({ columns, sort, onSort, caption }: TableProps<Row>) {
  const sortable = columns.filter((column) => column.sortable)
  if (!onSort || sortable.length === 0) return null
  const descending = sort?.direction === 'desc'
  return (
    <div className="flex items-center gap-2">
      <SelectField
        label={`Trier : ${caption}`}
        hideLabel
        className="flex-1"
        value={sort?.key ?? ''}
        placeholder={sort ? undefined : 'Trier par…'}
        options={sortable.map((column) => ({ value: column.key, label: `Trier par : ${column.header}` }))}
        onChange={(event) => onSort({ key: event.currentTarget.value, direction: sort?.direction ?? 'asc' })}
      />
      {sort && (
        <IconButton
          label={descending ? 'Ordre décroissant, inverser' : 'Ordre croissant, inverser'}
          icon={descending ? ArrowDown : ArrowUp}
          className="border border-line-strong bg-surface"
          onClick={() => onSort({ key: sort.key, direction: descending ? 'asc' : 'desc' })}
        />
      )}
    </div>
  )
}

function SkeletonCard({ lines }: { lines: number }) {
  return (
    <li className="px-4 py-3">
      <div className="flex min-h-11 items-center">
        <Skeleton className="h-4 w-40" />
      </div>
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: stand-ins have no identity.
        <div key={index} className="mt-1 flex h-5 items-center justify-between">
          <Skeleton className="h-3 w-16" />
          <Skeleton className="h-3 w-24" />
        </div>
      ))}
    </li>
  )
}
