import { guardText } from '#shared/csv/cells.ts'

/** How a file format writes each kind of cell, and a row of them; null is an empty cell. */
export type CellWriter = {
  text(value: string | null): string
  /** @param decimal plain digits, with a point */
  number(decimal: string | null): string
  amount(decimal: string): string
  /** An address that can be followed where the format has such cells. */
  link(href: string): string
  /** @param day `yyyy-mm-dd` */
  day(day: string): string
  /** What a clock on the spot showed, `yyyy-mm-ddThh:mm:ss.mmm`, and how far ahead of UTC it was, `+01:00`. */
  instant(local: string, offset: string): string
  row(cells: readonly string[]): string
}

/** What tells the two variants of our CSV apart: spreadsheets in French open the first, programs read the second. */
export const csvVariants = {
  human: { separator: ';', decimalMark: ',', byteOrderMark: '\ufeff' },
  machine: { separator: ',', decimalMark: '.', byteOrderMark: '' },
} as const
export type CsvVariant = keyof typeof csvVariants

/** How a variant of our CSV writes cells: an import reads back what was given. */
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
