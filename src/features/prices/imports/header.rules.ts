import { priceFileColumns } from '#features/prices/imports/columns.contract.ts'
import { quoted } from '#features/prices/imports/values.rules.ts'
import {
  comparedTitle,
  firstRepeated,
  foreignFormat,
  gzipped,
  noTable,
  oldWorkbook,
  titlesOf,
  trimmedTitles,
  utf16,
} from '#shared/csv/header.ts'

/** What the first line of a file says of the others. */
export type Layout = {
  readonly kind: 'wfp' | 'ours'
  readonly separator: string
  /** A spreadsheet in French wrote it, or people who speak it: decimal commas and `dd/mm/yyyy`. */
  readonly isFrench: boolean
  /** Texts are as they were, days and instants as a workbook knows them. */
  readonly isWorkbook: boolean
  /** Cells in every row. */
  readonly width: number
  /** Where each known column stands; a column that the file does not have is absent. */
  readonly columns: ReadonlyMap<string, number>
}

type Format = {
  readonly kind: Layout['kind']
  readonly isFrench: boolean
  readonly columns: readonly { key: string; title: string; isRequired: boolean }[]
}

// Both files of WFP on HDX have these; the later one adds market_id and commodity_id, which name nothing to us.
const wfpColumns = [
  'date',
  'admin1',
  'admin2',
  'market',
  'latitude',
  'longitude',
  'category',
  'commodity',
  'unit',
  'priceflag',
  'pricetype',
  'currency',
  'price',
]

const formats: readonly Format[] = [
  { kind: 'wfp', isFrench: false, columns: wfpColumns.map((key) => ({ key, title: key, isRequired: true })) },
  { kind: 'ours', isFrench: false, columns: ourColumns((column) => column.key) },
  { kind: 'ours', isFrench: true, columns: ourColumns((column) => column.title) },
]

const separators = [',', ';', '\t']

/**
 * Recognises a price file by the line that names its columns, in any order and with others between them.
 *
 * @returns why the file cannot be read, in French, when it is no price file or lacks a column
 */
export function readHeader(text: string): Layout | Refused {
  const readings = separators.map((separator) => ({ separator, names: titlesOf(text, separator) }))
  const layout = layoutOf(readings)
  return 'refusal' in layout ? layout : { ...layout, isFrench: layout.isFrench || layout.separator === ';' }
}

/** The same of a workbook's first row. */
export function readTitles(cells: readonly string[]): Layout | Refused {
  const layout = layoutOf([{ separator: ';', names: trimmedTitles(cells) }])
  return 'refusal' in layout ? layout : { ...layout, isWorkbook: true }
}

type Refused = { readonly refusal: string }

function layoutOf(readings: readonly { separator: string; names: string[] }[]): Layout | Refused {
  let best = { matches: 0, format: undefined as Format | undefined, separator: ',', names: [''] }
  for (const { separator, names } of readings) {
    for (const format of formats) {
      const matches = format.columns.filter(({ title }) => names.includes(comparedTitle(title))).length
      if (matches > best.matches) best = { matches, format, separator, names }
    }
  }
  const { format, separator, names } = best
  if (!format || best.matches < 3) return { refusal: notPrices }

  const repeated = firstRepeated(names)
  if (repeated) return { refusal: `La colonne ${quoted(repeated)} figure deux fois dans la première ligne.` }
  const missing = format.columns.filter(
    ({ title, isRequired }) => isRequired && !names.includes(comparedTitle(title)),
  )
  if (missing.length > 0) {
    const titles = missing.map(({ title }) => title).join(', ')
    return { refusal: `${missing.length > 1 ? 'Colonnes absentes' : 'Colonne absente'} : ${titles}.` }
  }
  const columns = new Map<string, number>()
  for (const { key, title } of format.columns) {
    const index = names.indexOf(comparedTitle(title))
    if (index >= 0) columns.set(key, index)
  }
  const { kind, isFrench } = format
  return { kind, separator, isFrench, isWorkbook: false, width: names.length, columns }
}

/** The line of HXL tags (`#date`, `#adm1+name` …) that older files of HDX carry below the header. */
export function isTagLine(cells: readonly string[]): boolean {
  return (
    cells.some((cell) => cell.startsWith('#')) && cells.every((cell) => cell === '' || cell.startsWith('#'))
  )
}

/** What to do with a file that is neither a workbook nor a CSV in UTF-8, by its first bytes; null when they do not tell. */
export function describeForeignFile(start: Uint8Array): string | null {
  const format = foreignFormat(start)
  return format === null || format === 'zip' ? null : advice[format]
}

export const notPrices =
  'Ce fichier n’est pas un fichier de prix : sa première ligne devrait nommer les colonnes (celles du PAM sur HDX, ou celles de notre export).'

const advice = { 'utf-16': utf16, ole: oldWorkbook, gzip: gzipped, document: noTable }

function ourColumns(name: (column: (typeof priceFileColumns)[number]) => string) {
  return priceFileColumns.map((column) => ({
    key: column.key,
    title: name(column),
    isRequired: 'isRequired' in column,
  }))
}
