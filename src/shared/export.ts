import { z } from 'zod'
import type { CellWriter } from '#shared/csv/write.ts'
import { optionalChoice } from '#shared/fields.ts'

/**
 * A column of a list as a file: what stands over it for people, and for programs (the name of its field), and what a row puts there, a
 * text unless its kind says otherwise.
 */
export type ExportColumn<Row> = { readonly title: string; readonly key?: string } & (
  | { readonly kind?: 'text'; readonly value: (row: Row) => string | null }
  | { readonly kind: 'number' | 'amount'; readonly value: (row: Row) => number | null }
  | { readonly kind: 'instant'; readonly value: (row: Row) => string }
)

/**
 * The query parameter `fileFormat`, which is not `format`: a row may have one. `csv` is what spreadsheets in French open: `;`, decimal
 * comma, byte order mark. `csv-machine` is what programs read: names of fields, `,`, decimal point, UTF-8 alone. `xlsx` has numbers and dates
 * as such. A text that a spreadsheet would run as a formula is led by an apostrophe in all, for nobody knows what a file is opened with.
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

/** The row of a file that a row of a list gives. */
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

const hourMs = 3_600_000

/** What a clock in Kinshasa showed, which is one hour ahead of UTC all year round. */
function inKinshasa(instant: string): string {
  return new Date(Date.parse(instant) + hourMs).toISOString().slice(0, 23)
}
