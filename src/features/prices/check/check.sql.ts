import { sql } from 'kysely'
import { logUnit } from '#features/figures/price-index/price-index.sql.ts'
import { inCdf, logInCdf, rateOf } from '#features/figures/rollups/rollups.sql.ts'
import type { PriceCheck } from '#features/prices/check/check.contract.ts'
import type { SeriesFigures } from '#features/prices/check/check.rules.ts'
import type { Db } from '#server/db/pool.ts'
import type { Currency } from '#shared/fields.ts'

/** A price to compare with its series, not yet written or already stored. */
export type AskedPrice = {
  productId: number
  marketId: number
  /** When absent, only the series is read. */
  priceValue?: number | null | undefined
  currency?: Currency | undefined
  /** An instant, a calendar day in the market's zone, or now when absent. */
  when?: string | null | undefined
  collectorName?: string | null | undefined
  /** Id of the stored price itself: it is not compared with itself. */
  exceptId?: number | null | undefined
}

export type SeriesReading = {
  /** Position of the price in the list passed to `readCheckedSeries`. */
  place: number
  day: string
  figures: SeriesFigures
  /** The price in CDF at the rate of its day; null without a price or a rate. */
  price: number | null
  lastPrice: PriceCheck['lastPrice']
  /** The last price in CDF at the rate of its day; null without a price or a rate. */
  lastInFrancs: number | null
  duplicate: PriceCheck['duplicate']
  /** The other quotes of the series in the 14 days before and after, in CDF. */
  near: number[]
  /** Id of the price of another collector with the same amount on the same day. */
  twinId: number | null
}

/** Quotes up to this many days before or after can confirm a price. */
const nearDays = 14

/** Reads the series of each price; a price whose market does not exist has no reading. */
export async function readCheckedSeries(db: Db, asked: readonly AskedPrice[]): Promise<SeriesReading[]> {
  const column = <Value>(of: (price: AskedPrice) => Value) => sql`${asked.map(of)}`
  const isDay = (when: string | null | undefined) => when?.length === 10
  // JavaScript accepts UTC offsets that PostgreSQL refuses.
  const iso = (when: string | null | undefined) =>
    when && !isDay(when) ? new Date(when).toISOString() : null
  const ofSeries = sql`product_id = asked.product_id and market_id = asked.market_id
    and id is distinct from asked.except_id`
  const { rows } = await sql<Row>`
    with asked as materialized (
      select given.*, coalesce(given.day, (coalesce(given.instant, now()) at time zone time_zone)::date) as on_day
        from unnest(${column(({ productId }) => productId)}::bigint[], ${column(({ marketId }) => marketId)}::bigint[],
                    ${column(({ priceValue = null }) => priceValue)}::numeric[],
                    ${column(({ currency = 'CDF' }) => currency)}::text[],
                    ${column(({ when }) => iso(when))}::timestamptz[],
                    ${column(({ when }) => (isDay(when) ? when : null))}::date[],
                    ${column(({ collectorName = null }) => collectorName)}::text[],
                    ${column(({ exceptId = null }) => exceptId)}::bigint[])
             with ordinality as given (product_id, market_id, price_value, currency, instant, day, collector_name, except_id, place)
        join market on market.id = given.market_id)
    select asked.place - 1 as place, asked.on_day as day, figures.quotes, figures.median, figures."medianLog", figures."madLog",
           asked.price_value * case asked.currency when 'CDF' then 1 else rate.cdf_per_usd end as price,
           case when last.currency is not null
             then json_build_object('value', last.price_value, 'currency', last.currency, 'day', last.observed_on) end as "lastPrice",
           last.price_value * case last.currency when 'CDF' then 1 else cdf_per_usd_on(last.observed_on) end as "lastInFrancs",
           (select json_build_object('id', id, 'collectedAt', collected_at, 'createdAt', created_at)
              from price where ${ofSeries} and observed_on = asked.on_day and price_value = asked.price_value
               and price.currency = asked.currency and fold(collector_name) = fold(asked.collector_name)
             order by id limit 1) as duplicate,
           (select id
              from price where ${ofSeries} and observed_on = asked.on_day and price_value = asked.price_value
               and price.currency = asked.currency and fold(collector_name) <> fold(asked.collector_name)
             order by id limit 1) as "twinId",
           array(select (${inCdf})::float8 from price ${rateOf('price.observed_on', 'price.currency')}
                  where ${ofSeries} and observed_on between asked.on_day - ${nearDays}::integer and asked.on_day + ${nearDays}::integer
                    and ${logInCdf} is not null) as near
      from asked ${rateOf('asked.on_day', 'asked.currency')}
     cross join lateral (
       with quote as materialized (
         select ${inCdf} as value, (${logInCdf})::float8 * ${sql.lit(logUnit)}::float8 as log
           from price ${rateOf('price.observed_on', 'price.currency')}
          where ${ofSeries} and observed_on between asked.on_day - 89 and asked.on_day and ${logInCdf} is not null),
       middle as (
         select count(*) as quotes, percentile_cont(0.5) within group (order by value) as median,
                percentile_cont(0.5) within group (order by log) as log
           from quote)
       select quotes, round(median::numeric, 2) as median, middle.log as "medianLog",
              (select percentile_cont(0.5) within group (order by abs(quote.log - middle.log)) from quote) as "madLog"
         from middle) figures
      left join lateral (
        select price_value, currency, observed_on from settled_price where ${ofSeries}
         order by observed_on desc, collected_at desc, id desc limit 1) last on true
     order by asked.place`.execute(db)
  return rows.map(({ quotes, median, medianLog, madLog, duplicate, ...row }) => ({
    ...row,
    figures: { quotes, median, medianLog, madLog },
    duplicate: duplicate && withInstants(duplicate),
  }))
}

type Row = SeriesFigures & Omit<SeriesReading, 'figures'>

/** Instants inside JSON come in PostgreSQL's text format. */
function withInstants({ id, collectedAt, createdAt }: NonNullable<PriceCheck['duplicate']>) {
  const iso = (text: string) => new Date(text).toISOString()
  return { id, collectedAt: iso(collectedAt), createdAt: iso(createdAt) }
}
