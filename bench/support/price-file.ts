// Writes a price file as WFP would if it covered every market every day: node bench/support/price-file.ts FILE ROWS

import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { dayMs } from '#shared/days.ts'

const header =
  'date,admin1,admin2,market,market_id,latitude,longitude,category,commodity,commodity_id,unit,priceflag,pricetype,currency,price,usdprice\n'
const provinces = ['Kinshasa', 'Nord-Kivu', 'Haut-Katanga', 'Ituri', 'Kasaï-Oriental']
const categories = ['cereals and tubers', 'pulses and nuts', '"meat, fish and eggs"', 'non-food']
const markets = 200
const products = 500
const days = 3 * 365
const firstDay = Date.UTC(2022, 0, 1)
const rowsPerChunk = 2_000

/** Returns rows in order of day, with each series at most once a day; one in fifty in dollars. */
export function* priceFile(rows: number): Generator<string> {
  yield header
  const perDay = Math.ceil(rows / days)
  for (let start = 0; start < rows; start += rowsPerChunk) {
    let chunk = ''
    for (let index = start; index < Math.min(rows, start + rowsPerChunk); index++) chunk += row(index, perDay)
    yield chunk
  }
}

function row(index: number, perDay: number): string {
  const day = Math.floor(index / perDay)
  // 7919 and 101 have no common factor with the number of series, so that days differ, and a day has each series at
  // most once.
  const series = (day * 7_919 + (index % perDay) * 101) % (markets * products)
  const market = series % markets
  const product = Math.floor(series / markets)
  const isDollars = product % 50 === 0
  const price = (isDollars ? 1 : 500) + ((index * 7_919) % 90_000) / (isDollars ? 10_000 : 10)
  const place = `${provinces[market % 5]},Territoire ${market % 40},Marché ${market},${market},${-4 - market / 100},${15 + market / 20}`
  const goods = `${categories[product % 4]},"Denrée ${product} (sorte ${product % 20}, locale)",${product},KG`
  const date = new Date(firstDay + day * dayMs).toISOString().slice(0, 10)
  return `${date},${place},${goods},actual,Retail,${isDollars ? 'USD' : 'CDF'},${price},1.2\n`
}

if (import.meta.main) {
  const [path = '', rows = '1000000'] = process.argv.slice(2)
  await pipeline(Readable.from(priceFile(Number(rows))), createWriteStream(path))
}
