import { isTagLine, type Layout } from '#features/prices/imports/header.rules.ts'
import type {
  MarketOfRow,
  OriginOfRow,
  Part,
  ProductOfRow,
  QuoteOfRow,
  RowReader,
} from '#features/prices/imports/rows.rules.ts'
import type { Parsed, Refusal } from '#features/prices/imports/values.rules.ts'
import { faultMessages, wrongWidth } from '#shared/csv/faults.ts'
import { type CsvRecord, fits } from '#shared/csv/records.ts'
import type { ImportReport, Rejection } from '#shared/import-report.ts'

/** A row ready to be stored; market, product and origin are numbers of the batch's own lists. */
export type StagedPrice = QuoteOfRow & {
  readonly line: number
  readonly market: number
  readonly product: number
  readonly origin: number
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
 * Takes the records of a file one by one: keeps the good ones for the next batch, counts and explains the others.
 *
 * @param onRejected told every row that is refused, while the list holds only the first ones
 */
export function priceIntake(
  layout: Layout,
  reader: RowReader,
  longestErrorList: number,
  onRejected: (rejection: Rejection) => void,
) {
  const markets = dictionary(reader.market)
  const products = dictionary(reader.product)
  const origins = dictionary(reader.origin)
  const errors: ImportReport['errors'] = []
  let prices: StagedPrice[] = []
  let read = 0
  let rejected = 0
  let undecodable = 0
  let isFirst = true

  /** The price of a row, or why it is refused. */
  function stage(record: CsvRecord): StagedPrice | Refusal {
    if ('fault' in record) return { reason: faultMessages[record.fault] }
    const { line, cells } = record
    const isWhole = layout.isFrench ? fits(cells, layout.width) : cells.length === layout.width
    if (!isWhole) return { reason: wrongWidth(cells.length, layout.width) }
    const market = markets.find(cells)
    if (market.reason !== undefined) return market
    const product = products.find(cells)
    if (product.reason !== undefined) return product
    const origin = origins.find(cells)
    if (origin.reason !== undefined) return origin
    const quote = reader.quote(cells, market.value.time_zone)
    if (quote.reason !== undefined) return quote
    return {
      ...quote.value,
      line,
      market: markets.use(market.value),
      product: products.use(product.value),
      origin: origins.use(origin.value),
    }
  }

  return {
    take(record: CsvRecord): void {
      if (isBlankRow(record)) return
      const isTags = isFirst && 'cells' in record && isTagLine(record.cells)
      isFirst = false
      if (isTags) return
      read += 1
      const staged = stage(record)
      if (!('reason' in staged)) {
        prices.push(staged)
        return
      }
      rejected += 1
      if ('fault' in record && record.fault === 'encoding') undecodable += 1
      if (errors.length < longestErrorList) errors.push({ line: record.line, message: staged.reason })
      const text = 'cells' in record ? record.cells.join(layout.separator) : record.text
      onRejected({ ...staged, line: record.line, text })
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
    /** Rows waiting for the next batch. */
    waiting: () => prices.length,
    counts: () => ({ read, rejected, undecodable, errors }),
  }
}

/** Spreadsheets save the rows that were emptied as well. */
function isBlankRow(record: CsvRecord): boolean {
  return 'cells' in record && record.cells.every((cell) => cell.trim() === '')
}

// Beyond this, a dictionary starts again from nothing: what it gives a second number costs a little work later.
const longestDictionary = 50_000

/**
 * Reads the parts that repeat from row to row once, and numbers those that an accepted row uses: what only refused
 * rows speak of is never created.
 */
function dictionary<T extends object>(part: Part<T>) {
  const known = new Map<string, Parsed<Entry<T>>>()
  let fresh: Numbered<T>[] = []
  let count = 0

  return {
    find(cells: readonly string[]): Parsed<Entry<T>> {
      const spelling = spell(cells, part.columns)
      const found = known.get(spelling)
      if (found !== undefined) return found
      const parsed = part.read(cells)
      const entry = parsed.reason === undefined ? { value: { ...parsed.value, key: null } } : parsed
      if (known.size >= longestDictionary) known.clear()
      known.set(spelling, entry)
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
