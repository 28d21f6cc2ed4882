import type { ReactNode } from 'react'

export type Column<Row> = {
  key: string
  header: string
  cell: (row: Row) => ReactNode
  /** Figures go to the end, so that their digits line up. */
  align?: 'start' | 'end'
  sortable?: boolean
  /** On a phone a row is a card: its title, a line of it, or nothing. First column: title; others: line. */
  card?: 'title' | 'line' | 'hidden'
  /** Only for who asks for it. */
  isExtra?: boolean
  className?: string
}

/** The columns that somebody asked for or sent away, by key; the others show as they usually do. */
export type ColumnChoice = Readonly<Record<string, boolean>>

/** A column as it is shown: on a card, where. */
export type Shown<Row> = { column: Column<Row>; place: 'title' | 'line' }

/** The columns that show, in their order. What a row is called always does. */
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

/** The column that says what a row is called. */
export function titleColumn<Row>(columns: readonly Column<Row>[]): Column<Row> | undefined {
  return columns.find(isTitleOf)
}

/**
 * The columns that give way where there is no room for all, by key, the least needed first: those that a card leaves out, then
 * the others from the end. What a row is called, the other figures and what somebody asked for stay.
 */
export function spareColumns<Row>(columns: readonly Column<Row>[], choice: ColumnChoice = {}): string[] {
  const isLess = ({ card }: Column<Row>) => card === 'hidden'
  const spare = columns
    .filter((column, index) => !isTitleOf(column, index) && (column.align !== 'end' || isLess(column)))
    .filter(({ key }) => !choice[key])
    .reverse()
  return [...spare.filter(isLess), ...spare.filter((column) => !isLess(column))].map(({ key }) => key)
}

/** The columns that may be sent away, with whether each shows. */
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
