import { guardText } from '#shared/csv/cells.ts'

/** The figures behind a chart, for its table and its CSV. */
export type ChartTable = {
  columns: readonly string[]
  /** First cell: what the row is about. Numbers raw for the file; `texts` writes them for the eye. */
  rows: readonly (readonly (string | number | null)[])[]
  /** Where the rows behind each are. */
  hrefs?: readonly (string | null | undefined)[]
  texts?: (cell: string | number | null, column: number) => string
}

/** CSV that a French spreadsheet opens as it is: semicolons, decimal commas, a mark for accents. */
export function toCsv({ columns, rows }: ChartTable): string {
  const lines = [columns, ...rows].map((row) => row.map(csvCell).join(';'))
  return `\uFEFF${lines.join('\r\n')}\r\n`
}

function csvCell(cell: string | number | null): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(rounded(cell)).replace('.', ',')
  const text = guardText(cell)
  return /[;"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** What is shown of a number: two decimals, or two digits of what is smaller than a tenth. */
function rounded(value: number): number {
  return Number(Math.abs(value) < 0.1 ? value.toPrecision(2) : value.toFixed(2))
}

/** `Prix moyen du riz` → `prix-moyen-du-riz`. */
export function fileStem(title: string): string {
  return title
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)
}
