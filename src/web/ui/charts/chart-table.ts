import { slugOf } from '#shared/accents.ts'
import { csvCells, csvVariants } from '#shared/csv/write.ts'

/** The figures of a chart, for its table and its CSV. */
export type ChartTable = {
  columns: readonly string[]
  /** The first cell names the row. Numbers are raw for the file; `texts` formats them for the screen. */
  rows: readonly (readonly (string | number | null)[])[]
  /** Links to the list of rows behind each row of the table. */
  hrefs?: readonly (string | null | undefined)[]
  texts?: (cell: string | number | null, column: number) => string
}

/** Returns CSV for French spreadsheets: semicolons, decimal commas, and a byte order mark for accents. */
export function toCsv({ columns, rows }: ChartTable): string {
  const { text, number, row } = csvCells('human')
  const cellOf = (cell: string | number | null) =>
    typeof cell === 'number' ? number(String(rounded(cell))) : text(cell)
  return csvVariants.human.byteOrderMark + [columns, ...rows].map((cells) => row(cells.map(cellOf))).join('')
}

/** Rounds a number for the file: two decimals, or two significant digits below a tenth. */
function rounded(value: number): number {
  return Number(Math.abs(value) < 0.1 ? value.toPrecision(2) : value.toFixed(2))
}

/** Returns a file name for a title: `prix-moyen-du-riz` for `Prix moyen du riz`. */
export function fileStem(title: string): string {
  return slugOf(title).slice(0, 60).replace(/-$/, '')
}
