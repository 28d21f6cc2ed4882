import { lowerFirst } from '#features/imports/created.rules.ts'
import type { DayReadings } from '#features/mappings/moments.rules.ts'
import type { Parsed, ReadAmount } from '#features/mappings/values.rules.ts'
import type { ProductKind } from '#features/product-types/kinds.contract.ts'
import { withoutAccents } from '#shared/accents.ts'
import type { Layout } from '#shared/csv/layout.ts'
import { text } from '#shared/fields.ts'

export type MarketOfRow = {
  readonly name: string
  /** Null where a file lacks it: the market is then matched by its name alone. */
  readonly location: string | null
  readonly province: string | null
  /** Decimal degrees, as written. */
  readonly latitude: string | null
  readonly longitude: string | null
  readonly time_zone: string
  /** WFP's number of the market. */
  readonly wfp_id: string | null
}

export type ProductOfRow = {
  /** The code that identifies the product; if null, its name, weight and format do. */
  readonly code: string | null
  /** The code to assign if it must be created, unless already taken. */
  readonly new_code: string
  readonly name: string
  /** Null where a file lacks it. */
  readonly weight: string | null
  readonly format: string | null
  readonly category: string | null
  readonly type: string
  readonly brand: string | null
  readonly brand_country: string | null
  readonly origin: string
  /** WFP's number of the commodity, for each of its units and stages of trade. */
  readonly wfp_id: string | null
  readonly kind: ProductKind
}

/** The collector and the source of a price. */
export type OriginOfRow = { readonly collector: string; readonly source: string | null }

export type QuoteOfRow = ReadAmount & {
  /** The local day, `yyyy-mm-dd`. */
  readonly day: string
  /** For a date such as `15/01/2006`: its two possible days, by the order of day and month; the whole file decides. */
  readonly readings: DayReadings | null
  /** When it was collected, ISO 8601 in UTC; null when only a day or `local` is known. */
  readonly instant: string | null
  /** The local time at the market, `yyyy-mm-ddThh:mm:ss`, when no instant is known. */
  readonly local: string | null
  readonly currency: 'CDF' | 'USD'
  readonly flag: 'actual' | 'aggregate'
}

/** A part of a row that repeats from row to row: its columns, and how to read them. */
export type Part<T> = {
  readonly columns: readonly number[]
  read(cells: readonly string[]): Parsed<T>
}

/** Reads the rows of one file. */
export type RowReader = {
  readonly market: Part<MarketOfRow>
  readonly product: Part<ProductOfRow>
  readonly origin: Part<OriginOfRow>
  /** @param timeZone the time zone of the row's market */
  quote(cells: readonly string[], timeZone: string): Parsed<QuoteOfRow>
  /**
   * Returns the possible days of the date of a row; null if it is not ambiguous. Also used for rejected rows, which
   * help to decide the order of the file.
   */
  readings(cells: readonly string[]): DayReadings | null
}

export type RowOptions = {
  readonly now: Date
  /** Currencies to read as another: `XAF` → `CDF`. */
  readonly currencyMap: ReadonlyMap<string, 'CDF' | 'USD'>
  /** Returns the time zone of a market by its province, else by its longitude in degrees east. */
  timeZoneOf(province: string | null, longitude: number | null): string
}

/** Returns the positions of columns in a row; -1 for a missing one. */
export function placesOf(layout: Layout, keys: readonly string[]): number[] {
  return keys.map((key) => layout.columns.get(key) ?? -1)
}

/** Returns the cell of a column; blank for a column that the file lacks. */
export function cellAt(layout: Layout, cells: readonly string[], key: string): string {
  return cells[layout.columns.get(key) ?? -1] ?? ''
}

/**
 * Validates a text by the limits of the database and trims it; `label` is its name in an error message: « Le marché ».
 */
export function readText(label: string, value: string, longest: number): Parsed<string> {
  if (value.trim() === '') return { reason: `${label} manque dans cette ligne.` }
  const parsed = text(longest).safeParse(value)
  if (parsed.success) return { value: parsed.data }
  return { reason: `${label} ne convient pas : ${lowerFirst(parsed.error.issues[0]?.message ?? '')}.` }
}

/** Does the same, with null for a blank text. */
export function readOptionalText(label: string, value: string, longest: number): Parsed<string | null> {
  return value.trim() === '' ? { value: null } : readText(label, value, longest)
}

/** Returns all the values, or the first error. */
export function allOf<T extends Record<string, Parsed<unknown>>>(
  parts: T,
): Parsed<{ [K in keyof T]: T[K] extends Parsed<infer V> ? V : never }> {
  const values: Record<string, unknown> = {}
  for (const [key, part] of Object.entries(parts)) {
    if (part.reason !== undefined) return { reason: part.reason }
    values[key] = part.value
  }
  // Every key of `parts` has been assigned the value of its own part.
  return { value: values as { [K in keyof T]: T[K] extends Parsed<infer V> ? V : never } }
}

/**
 * Generates a readable code for a product without one, the same at each import: `WFP-RICE-IMPORTED-KG-DETAIL`. Two
 * products may get the same code; it is made unique when they are stored.
 */
export function productCode(...parts: string[]): string {
  const code = parts
    .map((part) => withoutAccents(part).toUpperCase())
    .join('-')
    .replaceAll(/[^A-Z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, longestGeneratedCode)
  return code.replace(/-$/, '') || 'PRODUIT'
}

// Leaves room for the suffix that makes equal codes unique; the database holds 100 characters.
const longestGeneratedCode = 80
