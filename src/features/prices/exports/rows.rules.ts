import type { Market } from '#features/markets/markets.contract.ts'
import {
  figureColumns,
  type PriceFileColumn,
  priceFileColumns,
} from '#features/prices/exports/columns.contract.ts'
import type { CellWriter } from '#shared/csv/write.ts'

type TimeZone = Market['timeZone']

/** A price as exported, with ids for the market and the product, whose cells repeat. */
export type ExportedPrice = {
  id: string
  /** The local day. */
  day: string
  collectedMs: number
  productId: number
  marketId: number
  /** Decimal digits, exactly as stored. */
  amount: string
  currency: string
  collector: string
  source: string | null
  flag: 'actual' | 'aggregate'
  /** Whether it looks doubtful and waits for review. */
  isUnderReview: boolean
  /** Values that figures use; null unless requested. */
  behind: {
    isInPeriod: boolean
    cdfPerUsd: string | null
    rateDay: string | null
    inCdf: string
    /** Rounded to a cent; null before the first rate. */
    inUsd: string | null
  } | null
}

export type ExportedMarket = {
  id: number
  name: string
  location: string
  province: string | null
  latitude: string | null
  longitude: string | null
  timeZone: TimeZone
}

export type ExportedProduct = {
  id: number
  code: string
  name: string
  category: string
  type: string
  brand: string | null
  brandCountry: string | null
  weight: string
  format: string
  origin: string
}

/** How a format writes cells, and its wording of the flag. */
export type PriceWriter = { cells: CellWriter; flag(flag: ExportedPrice['flag']): string }

type Cells = Record<PriceFileColumn, string>
type MarketCells = Pick<Cells, (typeof marketColumns)[number]> & { timeZone: TimeZone }
type ProductCells = Omit<Cells, keyof MarketCells | (typeof priceColumns)[number]>

const marketColumns = ['market', 'location', 'province', 'latitude', 'longitude', 'time_zone'] as const
const priceColumns = [
  'id',
  'observed_on',
  'collected_at',
  'price',
  'currency',
  'collector',
  'source',
  'review',
  'flag',
  'in_period',
  'cdf_per_usd',
  'rate_day',
  'price_cdf',
  'price_usd',
] as const

/** Returns the cells that a market adds to each of its rows. */
export function marketCells(write: CellWriter, market: ExportedMarket): MarketCells {
  return {
    market: write.text(market.name),
    location: write.text(market.location),
    province: write.text(market.province),
    latitude: write.number(market.latitude),
    longitude: write.number(market.longitude),
    time_zone: write.text(market.timeZone),
    timeZone: market.timeZone,
  }
}

/** Returns the cells that a product adds to each of its rows. */
export function productCells(write: CellWriter, product: ExportedProduct): ProductCells {
  return {
    product_code: write.text(product.code),
    product: write.text(product.name),
    category: write.text(product.category),
    type: write.text(product.type),
    brand: write.text(product.brand),
    brand_country: write.text(product.brandCountry),
    weight: write.text(product.weight),
    format: write.text(product.format),
    origin: write.text(product.origin),
  }
}

/** Returns the columns of a file of prices; those behind a figure come before the last. */
export function fileColumns(behind: 'figures' | undefined) {
  return behind
    ? [...priceFileColumns.slice(0, -1), ...figureColumns, ...priceFileColumns.slice(-1)]
    : priceFileColumns
}

/** Returns the cells of a price in the order of its columns. */
export function priceRow(
  { cells: write, flag }: PriceWriter,
  price: ExportedPrice,
  market: MarketCells,
  product: ProductCells,
  columns: readonly { key: PriceFileColumn }[],
): string {
  const cells: Cells = {
    ...market,
    ...product,
    id: write.number(price.id),
    observed_on: write.day(price.day),
    collected_at: writeInstant(write, price, market.timeZone),
    price: write.amount(price.amount),
    currency: write.text(price.currency),
    collector: write.text(price.collector),
    source: write.text(price.source),
    review: write.text(price.isUnderReview ? 'à vérifier' : null),
    flag: write.text(flag(price.flag)),
    in_period: write.text(price.behind && (price.behind.isInPeriod ? 'oui' : 'non')),
    cdf_per_usd: write.number(price.behind?.cdfPerUsd ?? null),
    rate_day: price.behind?.rateDay ? write.day(price.behind.rateDay) : write.text(null),
    price_cdf: write.number(price.behind?.inCdf ?? null),
    price_usd: write.number(price.behind?.inUsd ?? null),
  }
  return write.row(columns.map(({ key }) => cells[key]))
}

const offsets: Record<TimeZone, { ms: number; text: string }> = {
  'Africa/Kinshasa': { ms: 3_600_000, text: '+01:00' },
  'Africa/Lubumbashi': { ms: 7_200_000, text: '+02:00' },
}

function writeInstant(write: CellWriter, { collectedMs, day }: ExportedPrice, timeZone: TimeZone): string {
  const offset = offsets[timeZone]
  const local = new Date(collectedMs + offset.ms).toISOString().slice(0, 23)
  // Before 1920 clocks followed the sun. Where the local hour would contradict the day, only the day is exported.
  return local.startsWith(day) ? write.instant(local, offset.text) : write.text(null)
}
