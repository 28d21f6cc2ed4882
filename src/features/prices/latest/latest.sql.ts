import { sql } from 'kysely'
import type { LatestPrice } from '#features/prices/latest/latest.contract.ts'
import type { Db } from '#server/db/pool.ts'

const mostMarkets = 200

/**
 * The last price of a product in each of its markets, the most recent first, 200 at most, and how many markets there
 * are. Jumps along the index of series from one market to the next, however many prices each one has.
 */
export async function listLatestPrices(
  db: Db,
  productId: number,
): Promise<{ data: LatestPrice[]; total: number }> {
  const nextMarket = sql`select market_id from price where product_id = ${productId}::bigint`
  const { rows } = await sql<LatestPrice & { total: number }>`
    with recursive sold (market_id) as (
      (${nextMarket} order by market_id limit 1)
      union all
      select (${nextMarket} and market_id > sold.market_id order by market_id limit 1)
        from sold where sold.market_id is not null)
    select price.id, price.price_value as "priceValue", price.currency, price.collector_name as "collectorName",
           price.collected_at as "collectedAt", price.observed_on as "observedOn",
           json_build_object('id', market.id, 'name', market.name, 'location', market.location) as market,
           count(*) over () as total
      from sold
      cross join lateral (
        select * from price where product_id = ${productId}::bigint and market_id = sold.market_id
         order by observed_on desc, collected_at desc, id desc limit 1) price
      join market on market.id = sold.market_id
     order by price.observed_on desc, price.collected_at desc, price.id desc
     limit ${mostMarkets}`.execute(db)
  return { data: rows.map(({ total: _, ...price }) => price), total: rows[0]?.total ?? 0 }
}
