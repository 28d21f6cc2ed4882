import { sql } from 'kysely'
import { trendOf } from '#features/figures/price-index/price-index.rules.ts'
import { logUnit } from '#features/figures/price-index/price-index.sql.ts'
import { logInCdf, rateOf } from '#features/figures/rollups/rollups.sql.ts'
import { changeOfLogs, windowsOf } from '#features/figures/summary/summary.rules.ts'
import { marketNamed } from '#features/markets/markets.sql.ts'
import {
  type LatestTable,
  latestTable,
  type PriceInCity,
} from '#features/public-prices/public-prices.rules.ts'
import type { Db } from '#server/db/pool.ts'
import { addDays, type Period } from '#shared/days.ts'

/**
 * The last price of a product in each of its markets, 200 at most, the latest first, with its change over the 30 days that
 * end on the day `end`, and how many quotes it rests on in all.
 */
export async function readPricesByCity(
  db: Db,
  productId: number,
  end: string,
): Promise<(PriceInCity & { quotes: number })[]> {
  const windows = windowsOf({ start: addDays(end, -29), end }, false)
  if (!windows) return []
  return (await listMeasured(db, productId, windows)).map(({ before, after, ...price }) => {
    const change = changeOfLogs(before, after, windows)
    return {
      ...price,
      change: change && { value: change.value, margin: change.margin },
      trend: trendOf(change),
    }
  })
}

/** The last prices of what most markets sell, city by city: 4 products, 4 cities. */
export async function readLatestTable(db: Db, end: string): Promise<LatestTable> {
  const products = await listMostSold(db, end)
  const prices = await Promise.all(products.map(({ id }) => readPricesByCity(db, id, end)))
  return latestTable(products.map((product, row) => ({ product, prices: prices[row] ?? [] })))
}

/** The good of each type that most markets sold in the eight weeks up to a day: the four types in most markets. */
async function listMostSold(db: Db, end: string): Promise<LatestTable['rows'][number]['product'][]> {
  const { rows } = await sql<LatestTable['rows'][number]['product']>`
    with sold as (
      select product_id, count(distinct market_id) as markets, sum(n) as quotes
        from price_week_series where n > 0 and week between ${end}::date - 56 and ${end}::date group by 1),
    first_of_type as (
      select distinct on (product.type_id) product.id, product.name, product.weight, markets, quotes
        from sold join product on product.id = product_id join product_type type on type.id = product.type_id
       where type.kind = 'good' order by product.type_id, markets desc, quotes desc, product.id)
    select id, name, weight from first_of_type order by markets desc, quotes desc, id limit 4`.execute(db)
  return rows
}

type Measured = Omit<PriceInCity, 'change' | 'trend'> & { quotes: number; before: number[]; after: number[] }

async function listMeasured(
  db: Db,
  productId: number,
  { before, after }: { before: Period; after: Period },
): Promise<Measured[]> {
  const logsIn = ({ start, end }: Period) => sql`
    (select coalesce(json_agg((${logInCdf})::float8 * ${logUnit}::float8), '[]')
       from price ${rateOf('price.observed_on', 'price.currency')}
      where product_id = ${productId} and market_id = sold.market_id and observed_on between ${start}::date and ${end}::date
        and ${logInCdf} is not null)`
  const { rows } = await sql<Measured>`
    with sold as (
      select market_id, max(observed_on) as last_day, count(*) as quotes from price where product_id = ${productId}
       group by 1 order by last_day desc, market_id limit 200)
    select ${marketNamed} as market,
           last.price_value as "priceValue", last.currency, sold.last_day as "observedOn", sold.quotes,
           ${logsIn(before)} as before, ${logsIn(after)} as after
      from sold join market on market.id = sold.market_id
      cross join lateral (
        select price_value, currency from price
         where product_id = ${productId} and market_id = sold.market_id and observed_on = sold.last_day
         order by collected_at desc, id desc limit 1) last
     order by sold.last_day desc, market.location collate "fr-x-icu", market.id`.execute(db)
  return rows
}
