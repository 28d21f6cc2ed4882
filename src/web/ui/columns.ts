import type { ReactNode } from 'react'

export type Column<Row> = {
  key: string
  header: string
  cell: (row: Row) => ReactNode
  /** `end` for figures, so that their digits align. */
  align?: 'start' | 'end'
  sortable?: boolean
  /**
   * Place in a card: its title, one of its lines, or none. By default, the first column is the title and the others are
   * lines.
   */
  card?: 'title' | 'line' | 'hidden'
  /** Only shown when the user chooses it. */
  isExtra?: boolean
  className?: string
}

/** The columns that the user chose to show or hide, by key; the others have their default visibility. */
export type ColumnChoice = Readonly<Record<string, boolean>>

/** A column shown, with its place in a card. */
export type Shown<Row> = { column: Column<Row>; place: 'title' | 'line' }

/** Returns the visible columns in order; the title column is always visible. */
export function shownColumns<Row>(
  columns: readonly Column<Row>[],
  choice: ColumnChoice = {},
  isCard = false,
): Shown<Row>[] {
  return columns.flatMap((column, index) => {
    const isTitle = isTitleOf(column, index)
    if (!isTitle && !(choice[column.key] ?? isUsual(column, isCard))) return []
    return [{ column, place: isTitle ? ('title' as const) : ('line' as const) }]
  })
}

/** Returns the column with the name of a row. */
export function titleColumn<Row>(columns: readonly Column<Row>[]): Column<Row> | undefined {
  return columns.find(isTitleOf)
}

/**
 * Returns the keys of the columns to hide when there is not enough space, the least important first: those hidden on
 * cards, then the others from the last. The title column, other figures and columns that the user chose are never
 * hidden.
 */
export function spareColumns<Row>(columns: readonly Column<Row>[], choice: ColumnChoice = {}): string[] {
  const isLess = ({ card }: Column<Row>) => card === 'hidden'
  const spare = columns
    .filter((column, index) => !isTitleOf(column, index) && (column.align !== 'end' || isLess(column)))
    .filter(({ key }) => !choice[key])
    .reverse()
  return [...spare.filter(isLess), ...spare.filter((column) => !isLess(column))].map(({ key }) => key)
}

/** Returns the columns that the user may hide, with the current visibility of each. */
export function choosableColumns<Row>(
  columns: readonly Column<Row>[],
  choice: ColumnChoice,
  isCard: boolean,
): { key: string; header: string; isUsual: boolean; isShown: boolean }[] {
  return columns
    .filter((column, index) => !isTitleOf(column, index))
    .map((column) => ({
      key: column.key,
      header: column.header,
      isUsual: isUsual(column, isCard),
      isShown: choice[column.key] ?? isUsual(column, isCard),
    }))
}

function isTitleOf<Row>(column: Column<Row>, index: number): boolean {
  return (column.card ?? (index === 0 ? 'title' : 'line')) === 'title'
}

function isUsual<Row>({ isExtra, card }: Column<Row>, isCard: boolean): boolean {
  return !isExtra && !(isCard && card === 'hidden')
}
