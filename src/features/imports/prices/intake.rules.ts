import { mappedRows } from '#features/imports/prices/mapped.rules.ts'
import { ourRows } from '#features/imports/prices/ours.rules.ts'
import { remembered } from '#features/imports/prices/quotes.rules.ts'
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
import { rowsAcross } from '#features/mappings/columns.rules.ts'
import { isNamedTotal, isTotal, totalOf } from '#features/mappings/free-values.rules.ts'
import type { Mapping } from '#features/mappings/mappings.contract.ts'
import { inQuotes, type Parsed, type Refusal } from '#features/mappings/values.rules.ts'
import { oldestPriceDay } from '#features/prices/prices.rules.ts'
import type { Layout } from '#shared/csv/layout.ts'
import type { TableRow } from '#shared/csv/table.ts'

/** A row ready to be stored; market, product and origin are numbers of the batch's own lists. */
export type StagedPrice = QuoteOfRow & {
  readonly line: number
  readonly market: number
  readonly product: number
  readonly origin: number
  /** What the row holds, when it may have to be refused later. */
  readonly text: string | null
}

/** Rows that were read, and the markets, products and origins that they are the first to speak of. */
export type Batch = {
  readonly prices: StagedPrice[]
  readonly markets: Numbered<MarketOfRow>[]
  readonly products: Numbered<ProductOfRow>[]
  readonly origins: Numbered<OriginOfRow>[]
}

type Numbered<T> = T & { readonly key: number }
type Entry<T> = T & { key: number | null }

/**
 * Takes the rows of a file one by one: keeps the good ones for the next batch, explains the others.
 *
 * @param reject called with every refused row
 */
export function priceIntake(
  ofFile: Layout,
  options: RowOptions,
  reject: (rejection: Refusal & { line: number; text: string }) => void,
  mapping: Mapping | null = null,
) {
  const { layout, spread } = rowsAcross(ofFile, mapping)
  const reader = readerOf(layout, options, mapping)
  const complete = groupFiller(ofFile, mapping)
  const markets = dictionary(reader.market)
  const products = dictionary(reader.product)
  const origins = dictionary(reader.origin)
  // Only of what people made: « Total » is a market that WFP knows, and a sheet of ours has no such lines.
  const named = mapping ? placesOf(layout, ['market', 'product']) : []
  const groups = placesOf(layout, ['market', 'location', 'province', 'category'])
  const readTotal = remembered(totalOf)
  const refusedOrders = { dayFirst: 0, monthFirst: 0 }
  const decimals = { comma: 0, point: 0 }
  let prices: StagedPrice[] = []

  function noteOrder(cells: readonly string[]): void {
    const readings = reader.readings(cells)
    if (readings?.monthFirst === null) refusedOrders.dayFirst += 1
    if (readings?.dayFirst === null) refusedOrders.monthFirst += 1
  }

  // « Total » is a market too, where its row says what was sold there and when: no one adds prices of one product.
  const [marketAt = -1] = placesOf(layout, ['market'])
  const others = placesOf(layout, ['day', 'product', 'price']).filter((at) => at >= 0)
  const isFullRow = (at: number, cells: readonly string[]) =>
    at === marketAt &&
    isNamedTotal(cells[at] ?? '') &&
    others.every((each) => (cells[each] ?? '').trim() !== '')

  /** The price of a row, or why it is refused. */
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
    if (decimal) decimals[decimal === ',' ? 'comma' : 'point'] += 1
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
    /** @returns how many prices the row tells */
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
    /** What has been taken since the last call. */
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
    /** How many refused rows have a date that only one order of day and month allows. */
    refusedOrders,
    /** How many amounts show each decimal mark. */
    decimals,
    /** Rows waiting for the next batch. */
    waiting: () => prices.length,
  }
}

/** Fills the blank cells of grouped columns with what stands above them. */
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

// Beyond this, a dictionary starts again from nothing: what it gives a second number costs a little work later.
const longestDictionary = 50_000

/**
 * Reads the parts that repeat from row to row once, and numbers those that an accepted row uses: what only refused
 * rows speak of is never created.
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

// No cell that is accepted contains NUL, so different cells never spell the same.
function spell(cells: readonly string[], columns: readonly number[]): string {
  let spelling = ''
  for (const column of columns) spelling += `${cells[column] ?? ''}\0`
  return spelling
}
