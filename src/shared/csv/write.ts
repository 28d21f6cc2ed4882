import { guardText } from '#shared/csv/cells.ts'

/** Formats the cells and rows of a file; null is an empty cell. */
export type CellWriter = {
  text(value: string | null): string
  /** @param decimal plain digits, with a point */
  number(decimal: string | null): string
  amount(decimal: string): string
  /** Writes a hyperlink when the format supports links. */
  link(href: string): string
  /** @param day `yyyy-mm-dd` */
  day(day: string): string
  /** Writes a local time, `yyyy-mm-ddThh:mm:ss.mmm`, with its offset from UTC, `+01:00`. */
  instant(local: string, offset: string): string
  row(cells: readonly string[]): string
}

/** The two variants of our CSV: `human` for spreadsheets in French, `machine` for programs. */
export const csvVariants = {
  human: { separator: ';', decimalMark: ',', byteOrderMark: '\ufeff' },
  machine: { separator: ',', decimalMark: '.', byteOrderMark: '' },
} as const
export type CsvVariant = keyof typeof csvVariants

/** Returns the cell writer of a CSV variant; an import reads back the written values unchanged. */
export function csvCells(variant: CsvVariant): CellWriter {
  const { separator, decimalMark } = csvVariants[variant]
  const needsQuotes = new RegExp(`["\\r\\n${separator}]`)
  const quote = (text: string) => (needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const number = (decimal: string | null) => quote(decimal?.replace('.', decimalMark) ?? '')
  return {
    text: (value) => (value === null ? '' : quote(guardText(value))),
    number,
    amount: number,
    link: quote,
    day: (day) => day,
    instant: (local, offset) => local.replace('.000', '') + offset,
    row: (cells) => `${cells.join(separator)}\r\n`,
  }
}
