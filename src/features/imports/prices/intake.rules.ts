import { mappedRows } from '#features/imports/prices/mapped.rules.ts'
import { ourRows } from '#features/imports/prices/ours.rules.ts'
import { memoize } from '#features/imports/prices/quotes.rules.ts'
import {
  type MarketOfRow,
  type OriginOfRow,
  type Part,
  type ProductOfRow,
  placesOf,
  type QuoteOfRow,
  type RowOptions,
  type RowReader,
} from '#features/imports/prices/rows.rules.ts'
import { wfpRows } from '#features/imports/prices/wfp.rules.ts'
import { unpivotRows } from '#features/mappings/columns.rules.ts'
import { isNamedTotal, isTotal, totalOf } from '#features/mappings/free-values.rules.ts'
import type { Mapping } from '#features/mappings/mappings.contract.ts'
import { inQuotes, type Parsed, type Refusal } from '#features/mappings/values.rules.ts'
import { oldestPriceDay } from '#features/prices/prices.rules.ts'
import type { Layout } from '#shared/csv/layout.ts'
import type { TableRow } from '#shared/csv/table.ts'

/** A row ready to be stored; market, product and origin are keys of dictionary entries. */
export type StagedPrice = QuoteOfRow & {
  readonly line: number
  readonly market: number
  readonly product: number
  readonly origin: number
  /** The text of the row, if it may have to be rejected later. */
  readonly text: string | null
}

/** Rows read since the last batch, with the markets, products and origins that appear for the first time. */
export type Batch = {
  readonly prices: StagedPrice[]
  readonly markets: Numbered<MarketOfRow>[]
  readonly products: Numbered<ProductOfRow>[]
  readonly origins: Numbered<OriginOfRow>[]
}

type Numbered<T> = T & { readonly key: number }
type Entry<T> = T & { key: number | null }

/**
 * Processes the rows of a file one by one: collects the good ones for the next batch, and rejects the others with a
 * reason.
 *
 * @param reject called with every rejected row
 */
export function priceIntake(
  ofFile: Layout,
  options: RowOptions,
  reject: (rejection: Refusal & { line: number; text: string }) => void,
  mapping: Mapping | null = null,
) {
  const { layout, spread } = unpivotRows(ofFile, mapping)
  const reader = readerOf(layout, options, mapping)
  const complete = groupFiller(ofFile, mapping)
  const markets = dictionary(reader.market)
  const products = dictionary(reader.product)
  const origins = dictionary(reader.origin)
  // Only in mapped files, made by people: WFP has a market called « Total », and our exports have no total rows.
  const named = mapping ? placesOf(layout, ['market', 'product']) : []
  const groups = placesOf(layout, ['market', 'location', 'province', 'category'])
  const readTotal = memoize(totalOf)
  const refusedOrders = { dayFirst: 0, monthFirst: 0 }
  const decimals = { comma: 0, point: 0 }
  let prices: StagedPrice[] = []

  function noteOrder(cells: readonly string[]): void {
    const readings = reader.readings(cells)
    if (readings?.monthFirst === null) refusedOrders.dayFirst += 1
    if (readings?.dayFirst === null) refusedOrders.monthFirst += 1
  }

  // « Total » is a market name if its row also has a product and a day: nobody adds up prices of one product.
  const [marketAt = -1] = placesOf(layout, ['market'])
  const others = placesOf(layout, ['day', 'product', 'price']).filter((at) => at >= 0)
  const isFullRow = (at: number, cells: readonly string[]) =>
    at === marketAt &&
    isNamedTotal(cells[at] ?? '') &&
    others.every((each) => (cells[each] ?? '').trim() !== '')

  /** Returns the price of a row, or why it is rejected. */
  function stage(line: number, cells: readonly string[]): StagedPrice | Refusal {
    const total = named
      .filter((at) => !isFullRow(at, cells))
      .map((at) => cells[at] ?? '')
      .find((name) =>
        isTotal(
          readTotal(name),
          groups.map((at) => cells[at] ?? ''),
        ),
      )
    if (total) return { reason: `Ligne de total ou de moyenne, et non un relevé\u00a0: ${inQuotes(total)}.` }
    const market = markets.find(cells)
    if (market.reason !== undefined) return market
    const product = products.find(cells)
    if (product.reason !== undefined) return product
    const origin = origins.find(cells)
    if (origin.reason !== undefined) return origin
    const quote = reader.quote(cells, market.value.time_zone)
    if (quote.reason !== undefined) return quote
    const { day, decimal, otherCents, readings } = quote.value
    if (day < oldestPriceDay) return { reason: `La date ${inQuotes(day)} est d’avant 1990.` }
    // Number cells of a workbook are read with a point, whatever the person who typed the texts uses.
    if (decimal && !(layout.isWorkbook && decimal === '.')) decimals[decimal === ',' ? 'comma' : 'point'] += 1
    return {
      ...quote.value,
      line,
      text: mapping || readings || otherCents !== null ? cells.join(layout.separator) : null,
      market: markets.use(market.value),
      product: products.use(product.value),
      origin: origins.use(origin.value),
    }
  }

  return {
    /** @returns the number of prices in the row */
    take(row: TableRow): number {
      const { line } = row
      if ('fault' in row) {
        reject({ reason: row.fault, line, text: row.text })
        return 1
      }
      const rows = spread(complete(row.cells))
      for (const cells of rows) {
        const staged = stage(line, cells)
        if ('reason' in staged) {
          noteOrder(cells)
          reject({ ...staged, line, text: cells.join(layout.separator) })
        } else prices.push(staged)
      }
      return rows.length
    },
    /** Returns what has been collected since the last call. */
    batch(): Batch {
      const taken = prices
      prices = []
      return {
        prices: taken,
        markets: markets.takeNew(),
        products: products.takeNew(),
        origins: origins.takeNew(),
      }
    },
    /** The number of rejected rows whose date fits only one order of day and month. */
    refusedOrders,
    /** The number of amounts that show each decimal mark. */
    decimals,
    /** Returns the number of rows waiting for the next batch. */
    waiting: () => prices.length,
  }
}

/** Fills the blank cells of grouped columns with the value above them. */
function groupFiller(layout: Layout, mapping: Mapping | null) {
  const grouped = Object.entries(mapping?.fields ?? {}).flatMap(([key, field]) =>
    'column' in field && field.isGrouped && key !== 'price' ? (layout.columns.get(key) ?? []) : [],
  )
  const above = new Map<number, string>()
  return (cells: readonly string[]): readonly string[] => {
    if (grouped.length === 0) return cells
    return cells.map((cell, at) => {
      if (!grouped.includes(at)) return cell
      if (cell.trim() !== '') above.set(at, cell)
      return above.get(at) ?? ''
    })
  }
}

function readerOf(layout: Layout, options: RowOptions, mapping: Mapping | null): RowReader {
  if (mapping) return mappedRows(layout, options, mapping)
  return layout.format.name === 'wfp' ? wfpRows(layout, options) : ourRows(layout, options)
}

// Most entries of a dictionary before it is emptied: an entry may then get a second number, at a small cost later.
const longestDictionary = 50_000

/**
 * Parses each distinct part of rows once, and numbers those that an accepted row uses: names that only rejected rows
 * contain are never created.
 */
function dictionary<T extends object>(part: Part<T>) {
  const cache = new Map<string, Parsed<Entry<T>>>()
  let fresh: Numbered<T>[] = []
  let count = 0

  return {
    find(cells: readonly string[]): Parsed<Entry<T>> {
      const spelling = spell(cells, part.columns)
      const found = cache.get(spelling)
      if (found !== undefined) return found
      const parsed = part.read(cells)
      const entry = parsed.reason === undefined ? { value: { ...parsed.value, key: null } } : parsed
      if (cache.size >= longestDictionary) cache.clear()
      cache.set(spelling, entry)
      return entry
    },
    use(entry: Entry<T>): number {
      if (entry.key === null) {
        entry.key = count
        count += 1
        fresh.push({ ...entry, key: entry.key })
      }
      return entry.key
    },
    takeNew(): Numbered<T>[] {
      const taken = fresh
      fresh = []
      return taken
    },
  }
}

// Accepted cells contain no NUL, so different cells always have different keys.
function spell(cells: readonly string[], columns: readonly number[]): string {
  let spelling = ''
  for (const column of columns) spelling += `${cells[column] ?? ''}\0`
  return spelling
}
