import { sql } from 'kysely'
import { logUnit } from '#features/figures/price-index/price-index.sql.ts'
import { rateOf } from '#features/figures/rollups/rollups.sql.ts'
import type { DatedQuote } from '#features/follows/follows.rules.ts'
import type { PricedSeries } from '#features/series/series.contract.ts'
import type { Db } from '#server/db/pool.ts'

type Place = { productId: number; marketId: number }
type SeriesRow = Omit<PricedSeries, 'weeks' | 'change' | 'trend'>

/** Returns series ordered by market, then by product, after a given one. */
export async function listPricedSeries(
  db: Db,
  { productId, marketId, after, limit }: Partial<Place> & { after: Place; limit: number },
): Promise<SeriesRow[]> {
  const chosen = sql`
    select distinct market_id, product_id from price_week_series
     where n > 0 and (market_id, product_id) > (${after.marketId}::bigint, ${after.productId}::bigint)
       and ${marketId === undefined ? sql`true` : sql`market_id = ${marketId}::bigint`}
       and ${productId === undefined ? sql`true` : sql`product_id = ${productId}::bigint`}
     order by market_id, product_id limit ${limit}`
  return readSeries(db, chosen)
}

/** Returns one series, even without prices; undefined if its product or its market does not exist. */
export async function findPricedSeries(
  db: Db,
  { productId, marketId }: Place,
): Promise<SeriesRow | undefined> {
  const [found] = await readSeries(
    db,
    sql`select ${marketId}::bigint as market_id, ${productId}::bigint as product_id`,
  )
  return found
}

async function readSeries(db: Db, chosen: ReturnType<typeof sql>): Promise<SeriesRow[]> {
  const own = sql`price.product_id = chosen.product_id and price.market_id = chosen.market_id`
  const { rows } = await sql<SeriesRow>`
    select chosen.product_id as "productId", chosen.market_id as "marketId",
           json_build_object('id', product.id, 'name', product.name, 'weight', product.weight, 'format', product.format) as product,
           json_build_object('id', market.id, 'name', market.name, 'location', market.location) as market,
           quoted.first as "firstDay", newest.observed_on as "lastDay", quoted.n as quotes,
           newest.price_value as "lastPrice", newest.currency
      from (${chosen}) chosen
      join product on product.id = chosen.product_id
      join market on market.id = chosen.market_id
     cross join lateral (
       select min(observed_on) as first, max(observed_on) as last, count(*) as n from price where ${own}) quoted
      left join lateral (
       select price_value, currency, observed_on from settled_price price where ${own} and observed_on <= quoted.last
        order by observed_on desc, collected_at desc, id desc limit 1) newest on true
     order by chosen.market_id, chosen.product_id`.execute(db)
  return rows
}

/** Returns the convertible quotes of a series since a day, in order: day, amount in CDF, and its logarithm. */
export async function listQuotesSince(
  db: Db,
  { productId, marketId }: Place,
  since: string,
): Promise<DatedQuote[]> {
  const log = sql`case currency when 'CDF' then log_value else log_value + rate.log_rate end`
  const { rows } = await sql<{ day: string; cdf: number; log: number }>`
    select observed_on as day, (price_value * case currency when 'CDF' then 1 else rate.cdf_per_usd end)::float8 as cdf,
           (${log})::float8 * ${logUnit}::float8 as log
      from price ${rateOf('price.observed_on', 'price.currency')}
     where product_id = ${productId}::bigint and market_id = ${marketId}::bigint
       and observed_on >= ${since}::date and ${log} is not null
     order by observed_on, price.id`.execute(db)
  return rows.map(({ day, cdf, log }) => [day, cdf, log])
}

/** Fewest weeks with both prices for a usual gap. */
const fewestWeeks = 8

/**
 * Returns the median gap between each other market and one, from the weekly means since a day; the nearest price first.
 */
export async function listUsualGaps(
  db: Db,
  { productId, marketId }: Place,
  since: string,
): Promise<{ marketId: number; usualGap: number; weeks: number }[]> {
  const { rows } = await sql<{ marketId: number; usualGap: number; weeks: number }>`
    with level as (
      select market_id, week, sum(sum_log_cdf)::float8 / sum(n) * ${logUnit}::float8 as log
        from price_week_series
       where product_id = ${productId}::bigint and week >= ${since}::date
       group by 1, 2 having sum(n) > 0)
    select other.market_id as "marketId", exp(percentile_cont(0.5) within group (order by other.log - own.log)) - 1 as "usualGap", count(*) as weeks
      from level other join level own using (week)
     where own.market_id = ${marketId}::bigint and other.market_id <> own.market_id
     group by 1 having count(*) >= ${fewestWeeks}
     order by abs(percentile_cont(0.5) within group (order by other.log - own.log)), 1 limit 200`.execute(db)
  return rows
}
