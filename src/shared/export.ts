import { z } from 'zod'
import type { CellWriter } from '#shared/csv/write.ts'
import { hourMs } from '#shared/days.ts'
import { optionalChoice } from '#shared/fields.ts'

/**
 * A column of a list exported as a file: its title for people, its field name for programs, and the function that gives
 * a row's value, which is a text unless `kind` says otherwise. `words` gives the text of a coded value for people.
 */
export type ExportColumn<Row> = { readonly title: string; readonly key?: string } & (
  | {
      readonly kind?: 'text'
      readonly value: (row: Row) => string | null
      readonly words?: (row: Row) => string | null
    }
  | { readonly kind: 'number' | 'amount'; readonly value: (row: Row) => number | null }
  | { readonly kind: 'instant'; readonly value: (row: Row) => string }
)

/**
 * The query parameter `fileFormat` (not `format`, which may be a field of the row). `csv` is for spreadsheets in
 * French: `;`, decimal comma, byte order mark. `csv-machine` is for programs: field names, `,`, decimal point, UTF-8
 * without a mark. `xlsx` has typed numbers and dates. In all formats, a text that a spreadsheet would run as a formula
 * is prefixed with an apostrophe, since any file may be opened in a spreadsheet.
 */
export const listFormat = optionalChoice(
  z.enum(['csv', 'csv-machine', 'xlsx'], 'Le format est csv, csv-machine ou xlsx'),
  'csv',
)
export type ListFormat = z.output<typeof listFormat>

export const fileMedia = [
  'text/csv',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
] as const

/** Returns the columns of a file for people: in words where values are codes. */
export function inWords<Row>(columns: readonly ExportColumn<Row>[]): readonly ExportColumn<Row>[] {
  return columns.map((column) =>
    'words' in column && column.words ? { ...column, value: column.words } : column,
  )
}

/** Formats a row of a list as a row of the file. */
export function exportRow<Row>(write: CellWriter, columns: readonly ExportColumn<Row>[], row: Row): string {
  return write.row(columns.map((column) => exportCell(write, column, row)))
}

function exportCell<Row>(write: CellWriter, column: ExportColumn<Row>, row: Row): string {
  switch (column.kind) {
    case 'number':
      return write.number(column.value(row)?.toString() ?? null)
    case 'amount': {
      const amount = column.value(row)
      return amount === null ? write.number(null) : write.amount(amount.toFixed(2))
    }
    case 'instant':
      return write.instant(inKinshasa(column.value(row)), '+01:00')
    default:
      return write.text(column.value(row))
  }
}

/** Converts an instant to local time in Kinshasa, which is UTC+1 all year. */
function inKinshasa(instant: string): string {
  return new Date(Date.parse(instant) + hourMs).toISOString().slice(0, 23)
}
