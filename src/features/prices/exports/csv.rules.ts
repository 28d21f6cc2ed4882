import type { CellWriter } from '#features/prices/exports/rows.rules.ts'
import { guardText } from '#features/prices/imports/cells.rules.ts'
import { flagTitles, priceFileColumns, priceFileVariants } from '#features/prices/imports/columns.contract.ts'

export type CsvVariant = keyof typeof priceFileVariants

/** How a variant of our CSV writes cells: the importer reads back what was given. */
export function csvCells(variant: CsvVariant): CellWriter {
  const { separator, decimalMark } = priceFileVariants[variant]
  const needsQuotes = new RegExp(`["\\r\\n${separator}]`)
  const quote = (text: string) => (needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const number = (decimal: string | null) => quote(decimal?.replace('.', decimalMark) ?? '')
  return {
    text: (value) => (value === null ? '' : quote(guardText(value))),
    number,
    amount: number,
    day: (day) => day,
    instant: (local, offset) => local.replace('.000', '') + offset,
    flag: (flag) => (variant === 'human' ? flagTitles[flag] : flag),
    row: (cells) => `${cells.join(separator)}\r\n`,
  }
}

/** What stands before the rows: the line that names the columns, behind a byte order mark where spreadsheets want one. */
export function csvStart(variant: CsvVariant): string {
  const { hasByteOrderMark } = priceFileVariants[variant]
  const names = priceFileColumns.map(({ key, title }) => (variant === 'human' ? title : key))
  const cells = csvCells(variant)
  return (hasByteOrderMark ? '\ufeff' : '') + cells.row(names.map(cells.text))
}
