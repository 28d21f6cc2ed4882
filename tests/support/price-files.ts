// Price files in the formats that we receive, written cell by cell so that a test can corrupt any of them.

import { priceTable } from '#features/imports/prices/formats.rules.ts'
import { priceIntake } from '#features/imports/prices/intake.rules.ts'
import type { RowOptions } from '#features/imports/prices/rows.rules.ts'
import { rejectionList } from '#features/imports/rejections.rules.ts'
import { timeZoneOfProvince } from '#features/markets/markets.rules.ts'
import { priceFileColumns } from '#features/prices/exports/columns.contract.ts'
import { csvTable, type TableBatch } from '#shared/csv/table.ts'
import { type CsvVariant, csvVariants } from '#shared/csv/write.ts'

const encoder = new TextEncoder()

/** A row of WFP, in the column order of the 2023 file. */
const wfpRow = {
  date: '2023-03-15',
  admin1: 'Nord-Kivu',
  admin2: 'Goma',
  market: 'Virunga',
  latitude: '-1.67',
  longitude: '29.23',
  category: 'cereals and tubers',
  commodity: 'Maize flour',
  unit: 'KG',
  priceflag: 'actual',
  pricetype: 'Retail',
  currency: 'CDF',
  price: '1500',
  usdprice: '0.6',
}
export type WfpRow = typeof wfpRow

const tags: WfpRow = {
  date: '#date',
  admin1: '#adm1+name',
  admin2: '#adm2+name',
  market: '#loc+market+name',
  latitude: '#geo+lat',
  longitude: '#geo+lon',
  category: '#item+type',
  commodity: '#item+name',
  unit: '#item+unit',
  priceflag: '#item+price+flag',
  pricetype: '#item+price+type',
  currency: '#currency',
  price: '#value',
  usdprice: '#value+usd',
}

/** Returns the file that HDX published until 2023: 14 columns and a line of tags. */
export function wfpFile2023(...rows: Partial<WfpRow>[]): string {
  const lines = [
    Object.keys(wfpRow),
    Object.values(tags),
    ...rows.map((row) => Object.values({ ...wfpRow, ...row })),
  ]
  return lines.map((cells) => csvLine(cells, ',')).join('')
}

/** Returns a number for a name, the same each time. */
const numberOf = (name: string) =>
  String([...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7))

type NumberedRow = Partial<WfpRow> & { market_id?: string; commodity_id?: string }

/**
 * Returns the file that HDX publishes now: 16 columns, no tags. Market and commodity ids are derived from their names
 * by default.
 */
export function wfpFile2025(...rows: NumberedRow[]): string {
  const withIds = (row: WfpRow, marketId: string, commodityId: string) => {
    const { date, admin1, admin2, market, latitude, longitude, category, commodity, ...rest } = row
    const place = [date, admin1, admin2, market, marketId, latitude, longitude]
    return [...place, category, commodity, commodityId, ...Object.values(rest)]
  }
  const names = Object.fromEntries(Object.keys(wfpRow).map((key) => [key, key])) as WfpRow
  const lines = [
    withIds(names, 'market_id', 'commodity_id'),
    ...rows.map(({ market_id, commodity_id, ...row }) => {
      const whole = { ...wfpRow, ...row }
      return withIds(
        whole,
        market_id ?? numberOf(`${whole.admin2}${whole.market}`),
        commodity_id ?? numberOf(whole.commodity),
      )
    }),
  ]
  return lines.map((cells) => csvLine(cells, ',')).join('')
}

/** A row of our own export, by column. */
export const ourRow = {
  observed_on: '2024-05-03',
  collected_at: '2024-05-03T09:30:00+02:00',
  market: 'Virunga',
  location: 'Goma',
  product_code: 'RIZ-1',
  product: 'Riz',
  category: 'Céréales',
  type: 'Riz',
  weight: '25kg',
  format: 'Sac',
  price: '1500.50',
  currency: 'CDF',
  collector: 'Jean',
  flag: 'actual',
}

/** Returns our own export in one of its variants; cells are given as that variant writes them. */
export function ourFile(variant: CsvVariant, ...rows: Record<string, string>[]): string {
  const { separator, byteOrderMark } = csvVariants[variant]
  const titles = priceFileColumns.map(({ key, title }) => (variant === 'human' ? title : key))
  const lines = [titles, ...rows.map((row) => priceFileColumns.map(({ key }) => row[key] ?? ''))]
  return byteOrderMark + lines.map((cells) => csvLine(cells, separator)).join('')
}

/** Returns a line of CSV; cells are quoted where needed. */
export function csvLine(cells: readonly string[], separator: string, lineBreak = '\n'): string {
  const written = cells.map((cell) =>
    /["\r\n]/.test(cell) || cell.includes(separator) ? `"${cell.replaceAll('"', '""')}"` : cell,
  )
  return written.join(separator) + lineBreak
}

/** Streams the bytes of a text in chunks of `size` bytes. */
export async function* bytesOf(text: string | Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  const bytes = typeof text === 'string' ? encoder.encode(text) : text
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

/** Returns what is read from a file on 1 March 2026 at noon UTC, with its bytes in chunks of `size`. */
export function readPriceFile(
  content: string | Uint8Array,
  changes: Partial<RowOptions> = {},
  size = 10_000,
) {
  const bytes = typeof content === 'string' ? encoder.encode(content) : content
  const options = {
    now: new Date('2026-03-01T12:00:00Z'),
    currencyMap: new Map(),
    timeZoneOf: timeZoneOfProvince,
    ...changes,
  }
  const table = csvTable(priceTable)
  const rejections = rejectionList()
  let intake: ReturnType<typeof priceIntake> | undefined
  let read = 0
  const take = (found: Iterable<TableBatch | null>) => {
    for (const batch of found) {
      if (!batch) continue
      intake ??= priceIntake(batch.layout, options, rejections.take)
      read += batch.rows.length
      for (const row of batch.rows) intake.take(row)
    }
  }
  for (let start = 0; start < bytes.length; start += size)
    take(table.read(bytes.subarray(start, start + size)))
  take(table.end())
  const { rejected, errors } = rejections.report()
  const batch = intake?.batch() ?? { prices: [], markets: [], products: [], origins: [] }
  return { batch, counts: { read, rejected, errors } }
}
