import { sql } from 'kysely'
import { hasRate, rateOf } from '#features/figures/rollups/rollups.sql.ts'
import type { ComparedSeriesKey } from '#features/prices/series/series.rules.ts'
import type { Db } from '#server/db/pool.ts'

/** A series with its names, even without prices; missing when its product or its market does not exist. */
export type NamedSeries = ComparedSeriesKey & {
  product: string
  code: string
  weight: string
  format: string
  market: string
  location: string
}

/**
 * A day of a series: its mean in francs and in dollars (null without a rate), and the sum of its logarithms in francs.
 */
export type SeriesDay = ComparedSeriesKey & {
  date: string
  count: number
  cdf: number
  usd: number | null
  logs: number
}

/** Reads the names of series, in the given order. */
export async function nameSeries(db: Db, series: readonly ComparedSeriesKey[]): Promise<NamedSeries[]> {
  const { rows } = await sql<NamedSeries>`
    select product.id as "productId", market.id as "marketId", product.name as product,
           product.code, product.weight, product.format, market.name as market, market.location
      from unnest(${series.map(({ productId }) => productId)}::integer[],
                  ${series.map(({ marketId }) => marketId)}::integer[])
           with ordinality as asked (product_id, market_id, place)
      join product on product.id = asked.product_id join market on market.id = asked.market_id
     order by place`.execute(db)
  return rows
}

/**
 * Reads the days with prices of series, oldest first; each price is converted at the rate in force on its day.
 *
 * @param since all days when absent
 */
export async function readSeriesDays(
  db: Db,
  series: readonly ComparedSeriesKey[],
  since: string | undefined,
): Promise<SeriesDay[]> {
  const { rows } = await sql<SeriesDay>`
    select product_id as "productId", market_id as "marketId", observed_on as date, count(*) as count,
           avg(price_value * case currency when 'CDF' then 1 else rate.cdf_per_usd end)::float8 as cdf,
           avg(price_value / case currency when 'USD' then 1 else of_day.cdf_per_usd end)::float8 as usd,
           sum(ln(price_value * case currency when 'CDF' then 1 else rate.cdf_per_usd end))::float8 as logs
      from price
      join unnest(${series.map(({ productId }) => productId)}::integer[],
                  ${series.map(({ marketId }) => marketId)}::integer[]) as asked (product, market)
        on product_id = asked.product and market_id = asked.market
      ${rateOf('price.observed_on', 'price.currency')}
      left join lateral (select cdf_per_usd_on(price.observed_on) as cdf_per_usd) of_day on true
     where ${hasRate('observed_on')}
       and observed_on >= coalesce(${since ?? null}::date, '-infinity')
     group by 1, 2, 3 order by 3`.execute(db)
  return rows
}

/** Reads the rate in force on each of these days that has one, with the day of that rate; oldest first. */
export async function readRatesOn(
  db: Db,
  days: readonly string[],
): Promise<{ date: string; cdfPerUsd: number; day: string }[]> {
  const { rows } = await sql<{ date: string; cdfPerUsd: number; day: string }>`
    select asked.date, rate.cdf_per_usd as "cdfPerUsd", rate.day
      from unnest(${days}::date[]) as asked (date)
      join lateral (
        select day, cdf_per_usd from exchange_rate where day <= asked.date order by day desc limit 1) rate on true
     order by 1`.execute(db)
  return rows
}
