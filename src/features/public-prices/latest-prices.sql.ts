import { type RawBuilder, sql } from 'kysely'
import { trendOf } from '#features/figures/price-index/price-index.rules.ts'
import { logUnit } from '#features/figures/price-index/price-index.sql.ts'
import { logInCdf, rateOf } from '#features/figures/rollups/rollups.sql.ts'
import { changeOfLogs, windowsOf } from '#features/figures/summary/summary.rules.ts'
import { marketNamed } from '#features/markets/markets.sql.ts'
import { productNamed } from '#features/products/products.sql.ts'
import {
  type LatestTable,
  latestTable,
  type PriceInCity,
} from '#features/public-prices/public-prices.rules.ts'
import type { Db } from '#server/db/pool.ts'
import { addDays, type Period } from '#shared/days.ts'
import { groupBy } from '#shared/group-by.ts'

type CityPrices = (PriceInCity & { quotes: number })[]

/**
 * Reads the last price of a product in each of its markets, 200 at most, the latest first, with its change over the 30
 * days that end on the day `end`, and its total number of quotes.
 */
export async function readPricesByCity(db: Db, productId: number, end: string): Promise<CityPrices> {
  const [own] = await readPricesOf(db, sql`select ${productId}::integer as id, 0 as place`, end)
  return own?.prices ?? []
}

/** Reads the table of last prices of the products sold in most markets: 4 products, 4 cities. */
export async function readLatestTable(db: Db, end: string): Promise<LatestTable> {
  return latestTable(await readPricesOf(db, mostSold(end), end))
}

/**
 * Builds the query of the product of each type sold in most markets in the eight weeks up to a day; goods only, and the
 * first four types.
 */
function mostSold(end: string): RawBuilder<unknown> {
  return sql`
    select id, row_number() over (order by markets desc, quotes desc, id) as place
      from (select distinct on (product.type_id) product.id, markets, quotes
              from (select product_id, count(distinct market_id) as markets, sum(n) as quotes
                      from price_week_series where n > 0 and week between ${end}::date - 56 and ${end}::date
                     group by 1) sold
              join product on product.id = product_id join product_type type on type.id = product.type_id
             where type.kind = 'good' order by product.type_id, markets desc, quotes desc, product.id) first_of_type
     order by place limit 4`
}

/** Reads the prices of chosen products, ordered by `place`. @param chosen selects `id` and `place` */
async function readPricesOf(db: Db, chosen: RawBuilder<unknown>, end: string) {
  const windows = windowsOf({ start: addDays(end, -29), end }, false)
  if (!windows) return []
  const measured = await listMeasured(db, chosen, windows)
  return [...groupBy(measured, ({ product }) => product.id).values()].map((own) => ({
    product: own[0]!.product,
    prices: own.map(({ product: _, before, after, ...price }) => {
      const change = changeOfLogs(before, after, windows)
      return {
        ...price,
        change: change && { value: change.value, margin: change.margin, isThin: change.isThin },
        trend: trendOf(change),
      }
    }),
  }))
}

type Measured = Omit<PriceInCity, 'change' | 'trend'> & {
  product: LatestTable['rows'][number]['product']
  quotes: number
  before: number[]
  after: number[]
}

async function listMeasured(
  db: Db,
  chosen: RawBuilder<unknown>,
  { before, after }: { before: Period; after: Period },
): Promise<Measured[]> {
  const logsIn = ({ start, end }: Period) => sql`
    (select coalesce(json_agg((${logInCdf})::float8 * ${logUnit}::float8), '[]')
       from price ${rateOf('price.observed_on', 'price.currency')}
      where product_id = sold.product_id and market_id = sold.market_id
        and observed_on between ${start}::date and ${end}::date and ${logInCdf} is not null)`
  const { rows } = await sql<Measured>`
    with sold as (
      select asked.id as product_id, asked.place, own.* from (${chosen}) asked
        cross join lateral (
          select market_id, max(observed_on) as last_day, count(*) as quotes from price where product_id = asked.id
           group by 1 order by last_day desc, market_id limit 200) own)
    select ${productNamed} as product, ${marketNamed} as market,
           last.price_value as "priceValue", last.currency, last.observed_on as "observedOn", sold.quotes,
           ${logsIn(before)} as before, ${logsIn(after)} as after
      from sold join market on market.id = sold.market_id join product on product.id = sold.product_id
      cross join lateral (
        select price_value, currency, observed_on from settled_price
         where product_id = sold.product_id and market_id = sold.market_id and observed_on <= sold.last_day
         order by observed_on desc, collected_at desc, id desc limit 1) last
     order by sold.place, last.observed_on desc, market.location collate "fr-x-icu", market.id`.execute(db)
  return rows
}
