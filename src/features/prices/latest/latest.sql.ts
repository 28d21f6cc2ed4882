import { type RawBuilder, sql } from 'kysely'
import { absenceOf } from '#features/prices/absence/absence.sql.ts'
import type { LatestPrice } from '#features/prices/latest/latest.contract.ts'
import { settledSeriesOf } from '#features/prices/latest/settled-series.sql.ts'
import type { Db } from '#server/db/pool.ts'

/**
 * Returns the last price of a product in each of its markets, the most recent first, and the number of markets.
 *
 * @param marketId a market that is never left out by the limit
 */
export async function listLatestPrices(
  db: Db,
  productId: number,
  { most, marketId }: { most: number; marketId: number | undefined },
): Promise<{ data: LatestPrice[]; total: number }> {
  const sold = sql`
    select *, count(*) over () as total from (${settledSeriesOf('product_id', productId)}) series
     order by (market_id = ${marketId ?? 0}::bigint) desc, last_day desc, market_id limit ${most}`
  const order = sql`price.observed_on desc, price.collected_at desc, price.id desc`
  const rows = await listLatest(db, productId, sold, order)
  return { data: rows.map(({ total: _, ...price }) => price), total: rows[0]?.total ?? 0 }
}

/** Same as `listLatestPrices`, for the markets after a given id, in the order of ids. */
export async function listLatestPricesAfter(
  db: Db,
  productId: number,
  { marketId, most }: { marketId: number; most: number },
): Promise<LatestPrice[]> {
  const sold = sql`
    select *, 0 as total from (${settledSeriesOf('product_id', productId)}) series
     where market_id > ${marketId}::bigint order by market_id limit ${most}`
  const rows = await listLatest(db, productId, sold, sql`market.id`)
  return rows.map(({ total: _, ...price }) => price)
}

async function listLatest(
  db: Db,
  productId: number,
  sold: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<(LatestPrice & { total: number })[]> {
  const { rows } = await sql<LatestPrice & { total: number }>`
    with sold as (${sold})
    select price.id, price.price_value as "priceValue", price.currency, price.collector_name as "collectorName",
           price.collected_at as "collectedAt", price.observed_on as "observedOn",
           json_build_object('id', market.id, 'name', market.name, 'location', market.location,
                             'latitude', market.latitude, 'longitude', market.longitude) as market, sold.total,
           ${absenceOf({ product: sql`${productId}::bigint`, market: sql`sold.market_id` })} as absence
      from sold
      cross join lateral (
        select * from settled_price
         where product_id = ${productId}::bigint and market_id = sold.market_id and observed_on <= sold.last_day
         order by observed_on desc, collected_at desc, id desc limit 1) price
      join market on market.id = sold.market_id
     order by ${order}`.execute(db)
  return rows
}
