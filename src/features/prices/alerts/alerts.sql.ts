import { sql } from 'kysely'
import type { SeriesFilter } from '#features/figures/filters/filters.contract.ts'
import { conditionsOnSeries } from '#features/figures/filters/filters.sql.ts'
import { logUnit } from '#features/figures/price-index/price-index.sql.ts'
import { allTrue, hasRate } from '#features/figures/rollups/rollups.sql.ts'
import type { Db } from '#server/db/pool.ts'

/** ln of the index of all prices in a week, relative to its first week: the movement that all prices share. */
export type Level = { week: string; level: number }

/** A series whose last price is older (days) gives no alert. */
const freshDays = 30

/** Length in days of the last window, and the number of earlier windows that it is compared with. */
const windowDays = 30
const windowsBefore = 12

/**
 * Recomputes which series are unusual, by the third edition of the definition of price alerts, and replaces the stored
 * alerts: - `dearer`: the mean of the prices of the last 30 days is 25 % or more above the mean of the averages of the
 * 12 windows of 30 days before (at least 6 of them with a price), and 20 % or more above it once each average is
 * divided by the index of all prices in the last week of its window that has a value; - `outlier`: the last price is
 * more than 3 times, or less than a third of, the median of the 90 days before (5 prices).
 * @param today `yyyy-mm-dd`
 */
export async function replaceAlerts(tx: Db, levels: readonly Level[], today: string): Promise<void> {
  await sql`delete from price_alert`.execute(tx)
  await sql`
    with level as (
      select * from json_to_recordset(${JSON.stringify(levels)}) as given (week date, level float8)),
    quoted as (
      select product_id, market_id, observed_on, collected_at, id, (${today}::date - observed_on) / ${windowDays} as back,
             exp((log_value + case currency when 'CDF' then 0 else log_rate_on(observed_on, currency) end)
               * ${sql.lit(logUnit)}::float8) as cdf
        from settled_price
       where observed_on between ${today}::date - ${windowDays * (windowsBefore + 1) - 1}::integer and ${today}::date
         and ${hasRate('observed_on')}),
    last as (
      select distinct on (product_id, market_id) product_id, market_id, observed_on, cdf
        from quoted where observed_on >= ${today}::date - ${freshDays}::integer
       order by product_id, market_id, observed_on desc, collected_at desc, id desc),
    median as (
      select last.product_id, last.market_id, last.cdf as shown,
             percentile_cont(0.5) within group (order by quoted.cdf) as usual
        from last join quoted using (product_id, market_id)
       where quoted.observed_on between last.observed_on - 90 and last.observed_on - 1
       group by 1, 2, 3 having count(*) >= 5),
    averaged as (
      select product_id, market_id, back, avg(quoted.cdf) as cdf
        from quoted join last using (product_id, market_id) group by 1, 2, 3),
    leveled as (
      select back, level
        from generate_series(0, ${windowsBefore}) back
       cross join lateral (select ${today}::date - ${windowDays} * back as last_day) ended
        left join lateral (
          select level from level
           where week between monday_of(last_day - ${windowDays - 1}::integer) and monday_of(last_day)
           order by week desc limit 1) valued on true),
    series as (
      select product_id, market_id,
             max(cdf) filter (where back = 0) as shown, avg(cdf) filter (where back > 0) as usual,
             max(cdf / exp(level)) filter (where back = 0) / avg(cdf / exp(level)) filter (where back > 0) as real
        from averaged join leveled using (back)
       group by 1, 2 having count(*) filter (where back > 0) >= 6),
    found as (
      select product_id, market_id, 'dearer' as kind, shown, usual, shown / usual / real - 1 as overall
        from series where shown >= 1.25 * usual and real >= 1.2
       union all
      select product_id, market_id, 'outlier', shown, usual, null from median where abs(ln(shown / usual)) > ln(3.0)),
    largest as (
      select distinct on (product_id, market_id) * from found order by product_id, market_id, abs(ln(shown / usual)) desc)
    insert into price_alert (product_id, market_id, kind, log_change, shown, usual, overall, last_day)
    select product_id, market_id, kind, ln(shown / usual), shown, usual, overall, last.observed_on
      from largest join last using (product_id, market_id)`.execute(tx)
}

export type PriceAlert = {
  kind: 'dearer' | 'outlier'
  product: { id: number; name: string; weight: string; format: string }
  market: { id: number; name: string; location: string }
  change: number
  price: number
  usual: number
  overall: number | null
  lastCollectedOn: string
}

/**
 * Returns the most unusual series of some products and markets, and how many there are, without series that have fallen
 * silent since.
 */
export async function listAlerts(
  db: Db,
  filter: SeriesFilter,
  { limit, today }: { limit: number; today: string },
): Promise<{ data: PriceAlert[]; total: number }> {
  const { rows } = await sql<PriceAlert & { total: number }>`
    select price_alert.kind, exp(log_change) - 1 as change, shown as price, usual, overall, last_day as "lastCollectedOn", count(*) over () as total,
           json_build_object('id', product.id, 'name', product.name, 'weight', product.weight, 'format', product.format) as product,
           json_build_object('id', market.id, 'name', market.name, 'location', market.location) as market
      from price_alert
      join product on product.id = product_id
      join market on market.id = market_id
     where ${allTrue([
       sql`last_day >= ${today}::date - ${freshDays}::integer`,
       ...conditionsOnSeries(filter, { product: sql`product_id`, market: sql`market_id` }),
     ])}
     order by abs(log_change) desc, product_id, market_id limit ${limit}`.execute(db)
  return { data: rows.map(({ total: _, ...alert }) => alert), total: rows[0]?.total ?? 0 }
}
