import { type RawBuilder, sql } from 'kysely'
import { rateOf } from '#features/figures/rollups/rollups.sql.ts'
import type { checkPrice, PriceCheck } from '#features/prices/check/check.contract.ts'
import type { SeriesFigures } from '#features/prices/check/check.rules.ts'
import type { Db } from '#server/db/pool.ts'
import type { QueryOf } from '#shared/contract.ts'

type Query = QueryOf<typeof checkPrice>

export type SeriesReading = {
  figures: SeriesFigures
  /** The price that is asked about, in CDF at the rate of its day; null without it or its rate. */
  price: number | null
  lastPrice: PriceCheck['lastPrice']
  /** The last price in CDF at the rate of its day; null without it or its rate. */
  lastInFrancs: number | null
  duplicate: PriceCheck['duplicate']
}

/** Logarithms are stored as integers in this unit. */
const logUnit = 1e-12

/** Reads what a series says of a price; undefined when there is no such market. */
export async function readCheckedSeries(db: Db, query: Query): Promise<SeriesReading | undefined> {
  const { productId, marketId, currency = 'CDF', collectorName = null, exceptId = null } = query
  const priceValue = sql`${query.priceValue ?? null}::numeric`
  const isSeries = sql`product_id = ${productId} and market_id = ${marketId}
    and id is distinct from ${exceptId}::bigint`
  const { rows } = await sql<Row>`
    with asked as (
      select ${localDay(query.collectedAt)} as day, ${currency}::text as currency from market where id = ${marketId}),
    quote as materialized (
      select price_value * coalesce(rate.cdf_per_usd, 1) as value,
             (log_value + coalesce(rate.log_rate, 0)) * ${sql.lit(logUnit)}::float8 as log
        from asked
        join lateral (
          select * from price where ${isSeries} and observed_on between asked.day - 89 and asked.day) price on true
        ${rateOf('price.observed_on', 'price.currency')}
       where price.currency = 'CDF' or rate.log_rate is not null),
    middle as (
      select count(*) as quotes, percentile_cont(0.5) within group (order by value) as median,
             percentile_cont(0.5) within group (order by log) as log
        from quote)
    select quotes, round(median::numeric, 2) as median, middle.log as "medianLog",
           (select percentile_cont(0.5) within group (order by abs(quote.log - middle.log)) from quote) as "madLog",
           ${priceValue} * case asked.currency when 'CDF' then 1 else rate.cdf_per_usd end as price,
           case when last.currency is not null
             then json_build_object('value', last.price_value, 'currency', last.currency, 'day', last.observed_on) end as "lastPrice",
           last.price_value * case last.currency when 'CDF' then 1 else cdf_per_usd_on(last.observed_on) end as "lastInFrancs",
           (select json_build_object('id', id, 'collectedAt', collected_at, 'createdAt', created_at)
              from price where ${isSeries} and observed_on = asked.day and price_value = ${priceValue}
               and price.currency = asked.currency and fold(collector_name) = fold(${collectorName}::text)
             order by id limit 1) as duplicate
      from asked cross join middle ${rateOf('asked.day', 'asked.currency')}
      left join lateral (
        select price_value, currency, observed_on from price where ${isSeries}
         order by observed_on desc, collected_at desc, id desc limit 1) last on true`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { price, lastPrice, lastInFrancs, duplicate, ...figures } = row
  return { figures, price, lastPrice, lastInFrancs, duplicate: duplicate && withInstants(duplicate) }
}

type Row = SeriesFigures & Omit<SeriesReading, 'figures'>

/** The local day of a collection at the market: of an instant, of a calendar day, or of now. */
function localDay(when: string | undefined): RawBuilder<string> {
  if (when?.length === 10) return sql`${when}::date`
  // JavaScript reads offsets that PostgreSQL refuses.
  const instant = when === undefined ? sql`now()` : sql`${new Date(when).toISOString()}::timestamptz`
  return sql`(${instant} at time zone time_zone)::date`
}

/** Instants within JSON come as PostgreSQL writes them. */
function withInstants({ id, collectedAt, createdAt }: NonNullable<PriceCheck['duplicate']>) {
  const iso = (text: string) => new Date(text).toISOString()
  return { id, collectedAt: iso(collectedAt), createdAt: iso(createdAt) }
}
