// Guesses the fields of columns of a foreign table from their titles and contents.

import {
  currencyNamed,
  isDayTitle,
  parseDayOf,
  parseFreeAmount,
  parseFreeDay,
} from '#features/mappings/free-values.rules.ts'
import type { MappedFieldKey } from '#features/mappings/mapped-fields.contract.ts'
import type { MappedField, Mapping } from '#features/mappings/mappings.contract.ts'
import { instantWithOffset } from '#features/mappings/moments.rules.ts'
import {
  isNoAmount,
  isOfPrices,
  mayNameFigures,
  namedInTitle,
  scoreOfTitle,
} from '#features/mappings/titles.rules.ts'

type Head = { readonly titles: readonly string[]; readonly rows: readonly (readonly string[])[] }

/** For each field, the share of the cells of a column that are known names, from 0 to 1. */
export type CatalogueNames = Readonly<Record<'market' | 'product' | 'location' | 'category', number>>

/**
 * Returns the share of the cells that are days; day numbers of spreadsheets, which may be amounts, only count beside
 * other days.
 */
function shareOfDays(filled: readonly string[]): number {
  const plain = filled.filter((cell) => !/^\d{5}(?:\.\d+)?$/.test(cell.trim()))
  // With another column for the year, this one may name the month only.
  const known = plain.filter(
    (cell) =>
      instantWithOffset.test(cell.trim()) ||
      (/\p{L}/u.test(cell) ? parseDayOf(cell, '2000') : parseFreeDay(cell)).reason === undefined,
  )
  return plain.length === 0 ? 0 : known.length / plain.length
}

type Content = {
  filled: number
  days: number
  years: number
  amounts: number
  currencies: number
  distinct: number
  mean: number
}

// Country codes and names of organisations have three capitals too.
const currencyCodes = new Set(Intl.supportedValuesOf('currency'))

function contentOf(cells: readonly string[]): Content {
  const filled = cells.filter((cell) => cell.trim() !== '')
  const share = (is: (cell: string) => boolean) =>
    filled.length === 0 ? 0 : filled.filter(is).length / filled.length
  const amounts = filled.flatMap((cell) => parseFreeAmount(cell, ',').value?.cents ?? [])
  return {
    filled: filled.length,
    days: shareOfDays(filled),
    years: share((cell) => /^(?:19|20)\d\d$/.test(cell.trim())),
    amounts: filled.length === 0 ? 0 : amounts.length / filled.length,
    currencies: share((cell) => currencyNamed(cell) !== undefined || currencyCodes.has(cell.trim())),
    distinct: new Set(filled).size,
    mean: amounts.reduce((sum, cents) => sum + cents, 0) / Math.max(1, amounts.length),
  }
}

/** Scores how well the content of a column fits a field; null if it cannot be that field. */
function scoreOfContent(field: MappedFieldKey, content: Content, known: CatalogueNames): number | null {
  const { filled, days, years, amounts, currencies } = content
  if (filled === 0) return 0
  if (field === 'year') return years >= 0.7 ? 0 : null
  if (field === 'day') return days >= 0.7 ? 1 : null
  if (field === 'price') return amounts >= 0.7 && days < 0.7 ? 0.8 : null
  // A column titled as a currency may hold any currencies, one per row.
  if (field === 'currency') return currencies >= 0.7 ? 1 : amounts >= 0.7 ? null : 0
  // Numbers are not names.
  if ((amounts >= 0.7 && field !== 'unit') || days >= 0.7) return null
  const names: Partial<Record<MappedFieldKey, number>> = known
  return (names[field] ?? 0) * 2
}

// Fewest day, month, product or market titles that are taken for titles of price columns.
const fewestWide = 2

type Column = { title: string; cells: readonly string[]; content: Content; known: CatalogueNames }

/**
 * Returns the columns whose titles are the day, the product or the market of the prices below, if the table has that
 * form.
 */
function guessWideColumns(
  all: readonly Column[],
): { key: 'day' | 'product' | 'market'; columns: Column[] } | null {
  const ofDays = all.filter(({ title }) => isDayTitle(title))
  if (ofDays.length >= fewestWide) return { key: 'day', columns: ofDays }
  const hasColumn = (field: MappedFieldKey) =>
    all.some(({ title, content, known }) => {
      const fit = content.filled > 0 ? scoreOfContent(field, content, known) : null
      return fit !== null && scoreOfTitle(title, field) + fit >= leastScore
    })
  const key = !hasColumn('product')
    ? 'product'
    : hasColumn('market') || hasColumn('location')
      ? null
      : 'market'
  if (key === null) return null
  const ofFigures = all.filter(
    ({ title, content }) =>
      (content.filled === 0 || (content.amounts >= 0.7 && content.days < 0.7)) &&
      !isNoAmount(title, 'price') &&
      mayNameFigures(title),
  )
  const named = ofFigures.filter(({ title }) => namedInTitle(title).name !== '')
  const priced = named.filter(({ title }) => isOfPrices(title))
  if (priced.length >= fewestWide) return { key, columns: priced }
  // A single column of prices means that titles are not such values.
  if (ofFigures.some(({ title, content }) => content.filled > 0 && isOfPrices(title))) return null
  const columns = named.filter(
    ({ title, content }) =>
      content.filled > 0 && !otherFields.some((field) => scoreOfTitle(title, field) >= 1.5),
  )
  return columns.length >= fewestWide ? { key, columns } : null
}

// Lowest score of content for a column whose title does not name the field.
const leastScore = 0.8

/**
 * Proposes a column for each field.
 *
 * @param known the shares of known names in each column
 */
export function guessMapping({ titles, rows }: Head, known: readonly CatalogueNames[]): Mapping {
  const all = titles.map((title, at) => {
    const cells = rows.map((row) => row[at] ?? '')
    return { title, cells, content: contentOf(cells), known: known[at] ?? noKnownNames }
  })
  const wide = guessWideColumns(all)
  const columns = wide ? all.filter((column) => !wide.columns.includes(column)) : all
  const candidates = columns.flatMap((column) =>
    fieldKeys.flatMap((field) => {
      if (wide && (field === wide.key || field === 'price')) return []
      if ((field === 'price' || field === 'currency') && isNoAmount(column.title, field)) return []
      // Prices near 2 000 francs look like years.
      if (field === 'price' && column.content.years >= 0.7 && scoreOfTitle(column.title, 'price') === 0)
        return []
      const fit = scoreOfContent(field, column.content, column.known)
      if (fit === null) return []
      const score = scoreOfTitle(column.title, field) + fit
      return score >= leastScore ? [{ field, column, score }] : []
    }),
  )
  const fields: Partial<Record<MappedFieldKey, MappedField>> = {}
  const taken = new Set<string>()
  for (const { field, column } of candidates.toSorted((a, b) => b.score - a.score)) {
    if (fields[field] || taken.has(column.title)) continue
    fields[field] = { column: column.title, ...(isGrouped(field, column.cells) && { isGrouped: true }) }
    taken.add(column.title)
  }
  // A table with a single column for a place: it is the market.
  if (!fields.market && fields.location && wide?.key !== 'market') {
    fields.market = fields.location
    delete fields.location
  }
  if (wide) {
    const inTitles = wide.key === 'day' || wide.columns.map(({ title }) => title)
    fields[wide.key] = { inTitles }
  }
  const { price } = fields
  const ofPrices = wide
    ? wide.columns
    : columns.filter(({ title }) => price && 'column' in price && title === price.column)
  const prices = ofPrices.flatMap(({ cells }) => cells)
  fields.currency ??= { value: currencyOf(ofPrices.map(({ title }) => title).join(' '), prices) }
  return {
    name: null,
    titles: [...titles],
    fields: Object.fromEntries(Object.entries(fields)),
    decimal: 'auto',
    dateOrder: 'auto',
    names: { markets: {}, products: {} },
  }
}

// The product is excluded: it is blank on total rows, which must not take the product above.
const mayBeGrouped: readonly MappedFieldKey[] = ['day', 'market', 'location', 'province', 'category']

/**
 * Whether a column gives a value once for the rows below: its first cell is filled, and at least a third of its cells
 * are blank.
 */
function isGrouped(field: MappedFieldKey, cells: readonly string[]): boolean {
  const blank = cells.filter((cell) => cell.trim() === '').length
  return mayBeGrouped.includes(field) && (cells[0] ?? '').trim() !== '' && blank >= cells.length / 3
}

const fieldKeys: readonly MappedFieldKey[] = [
  'day',
  'market',
  'product',
  'price',
  'year',
  'currency',
  'unit',
  'location',
  'province',
  'category',
  'format',
  'collector',
  'source',
]
const otherFields: readonly MappedFieldKey[] = ['day', 'year', 'currency', 'unit', 'province', 'collector']
const noKnownNames: CatalogueNames = { market: 0, product: 0, location: 0, category: 0 }

/**
 * Returns the currency named in the title or the cells of prices: « Prix ($/kg) », « Prix en dollars », « 1 500 FC ».
 */
function currencyOf(title: string, cells: readonly string[]): 'CDF' | 'USD' {
  const named = new Set(title.split(/[\s_()[\]/,:;-]+/).flatMap((word) => currencyNamed(word) ?? []))
  const [only] = named
  if (only && named.size === 1) return only
  const dollars = cells.filter((cell) => parseFreeAmount(cell, ',').value?.currency === 'USD').length
  return cells.length > 0 && dollars > cells.length / 2 ? 'USD' : 'CDF'
}
