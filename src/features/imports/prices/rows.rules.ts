import type { DayReadings } from '#features/mappings/moments.rules.ts'
import type { Parsed, ReadAmount } from '#features/mappings/values.rules.ts'
import type { Layout } from '#shared/csv/layout.ts'
import { text } from '#shared/fields.ts'

export type MarketOfRow = {
  readonly name: string
  /** Null where a file does not say it: the market is then found by its name alone. */
  readonly location: string | null
  readonly province: string | null
  /** Decimal degrees, as written. */
  readonly latitude: string | null
  readonly longitude: string | null
  readonly time_zone: string
  /** The number that WFP gives it. */
  readonly wfp_id: string | null
}

export type ProductOfRow = {
  /** The code that names the product; without one, its name, weight and format do. */
  readonly code: string | null
  /** The code to give it when it must be created, unless another has that one. */
  readonly new_code: string
  readonly name: string
  /** Null where a file does not tell it. */
  readonly weight: string | null
  readonly format: string | null
  readonly category: string | null
  readonly type: string
  readonly brand: string | null
  readonly brand_country: string | null
  readonly origin: string
  /** The number that WFP gives the commodity, in each of its units and stages of trade. */
  readonly wfp_id: string | null
  readonly kind: 'good' | 'service' | 'wage' | 'rate'
}

/** Who collected a price, and where it comes from. */
export type OriginOfRow = { readonly collector: string; readonly source: string | null }

export type QuoteOfRow = ReadAmount & {
  /** The local day, `yyyy-mm-dd`. */
  readonly day: string
  /** When `15/01/2006` was the day: the two that it may be, by the order of day and month; the file will tell which. */
  readonly readings: DayReadings | null
  /** When it was collected, ISO 8601 in UTC; null when there is only a day, or `local`. */
  readonly instant: string | null
  /** What a clock at the market showed then, `yyyy-mm-ddThh:mm:ss`, when there is nothing else. */
  readonly local: string | null
  readonly currency: 'CDF' | 'USD'
  readonly flag: 'actual' | 'aggregate'
}

/** A part of a row that repeats from row to row: the cells that it is made of, and how to read them. */
export type Part<T> = {
  readonly columns: readonly number[]
  read(cells: readonly string[]): Parsed<T>
}

/** How the rows of one file are read. */
export type RowReader = {
  readonly market: Part<MarketOfRow>
  readonly product: Part<ProductOfRow>
  readonly origin: Part<OriginOfRow>
  /** @param timeZone the one of the row's market */
  quote(cells: readonly string[], timeZone: string): Parsed<QuoteOfRow>
  /** The days that the date of a row may be; null where it leaves no question. A row that is refused tells the order of the file too. */
  readings(cells: readonly string[]): DayReadings | null
}

export type RowOptions = {
  readonly now: Date
  /** Currencies to read as others: `XAF` → `CDF`. */
  readonly currencyMap: ReadonlyMap<string, 'CDF' | 'USD'>
  /** The time zone of a market by its province, else by its longitude in degrees east. */
  timeZoneOf(province: string | null, longitude: number | null): string
}

/** Where columns stand in a row; -1 for one that the file lacks. */
export function placesOf(layout: Layout, keys: readonly string[]): number[] {
  return keys.map((key) => layout.columns.get(key) ?? -1)
}

/** The cell of a column; one that the file lacks is blank. */
export function cellAt(layout: Layout, cells: readonly string[], key: string): string {
  return cells[layout.columns.get(key) ?? -1] ?? ''
}

/** A text that the database can hold, trimmed; `label` is how a sentence names it: « Le marché ». */
export function readText(label: string, value: string, longest: number): Parsed<string> {
  if (value.trim() === '') return { reason: `${label} manque dans cette ligne.` }
  const parsed = text(longest).safeParse(value)
  if (parsed.success) return { value: parsed.data }
  return { reason: `${label} ne convient pas : ${lowerFirst(parsed.error.issues[0]?.message ?? '')}.` }
}

/** The same, where blank means null. */
export function readOptionalText(label: string, value: string, longest: number): Parsed<string | null> {
  return value.trim() === '' ? { value: null } : readText(label, value, longest)
}

/** All the values, or the first reason why there is none. */
export function allOf<T extends Record<string, Parsed<unknown>>>(
  parts: T,
): Parsed<{ [K in keyof T]: T[K] extends Parsed<infer V> ? V : never }> {
  const values: Record<string, unknown> = {}
  for (const [key, part] of Object.entries(parts)) {
    if (part.reason !== undefined) return { reason: part.reason }
    values[key] = part.value
  }
  // Every key of `parts` has just been given the value of its own part.
  return { value: values as { [K in keyof T]: T[K] extends Parsed<infer V> ? V : never } }
}

/**
 * A readable code for a product that comes without one, the same at each import: `WFP-RICE-IMPORTED-KG-DETAIL`.
 * Two products may get the same one; they are made distinct when they are stored.
 */
export function productCode(...parts: string[]): string {
  const code = parts
    .map((part) => part.normalize('NFD').toUpperCase().replaceAll(/\p{M}/gu, ''))
    .join('-')
    .replaceAll(/[^A-Z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, longestGeneratedCode)
  return code.replace(/-$/, '') || 'PRODUIT'
}

// Leaves room for the suffix that tells two equal codes apart; the database holds 100 characters.
const longestGeneratedCode = 80

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}
