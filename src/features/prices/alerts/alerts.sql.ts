import { type RawBuilder, sql } from 'kysely'
import { allTrue, hasRate } from '#features/figures/rollups/rollups.sql.ts'
import type { Db } from '#server/db/pool.ts'

/** ln of the index of all prices in a week, from its first week; what a price has in common with all others. */
export type Level = { week: string; level: number }

/** Nothing is said of a series whose last price is older. */
const freshDays = 30

/**
 * Finds again which series are unusual, and replaces what was known of that:
 * - `dearer`: the mean of the month of its last price is 25 % or more above the mean of its 12 months before (6 at least),
 *   and 20 % or more once both are divided by the index of all prices; a week is of the month that holds its Thursday;
 * - `outlier`: its last price is more than 3 times, or less than a third of, the median of the 90 days before (5 prices).
 *
 * @param today `yyyy-mm-dd`
 */
export async function replaceAlerts(tx: Db, levels: readonly Level[], today: string): Promise<void> {
  await sql`delete from price_alert`.execute(tx)
  await sql`
    with level as (
      select * from json_to_recordset(${JSON.stringify(levels)}) as given (week date, level float8)),
    recent as (
      select product_id, market_id, observed_on, collected_at, id,
             (log_value + case currency when 'CDF' then 0 else log_rate_on(observed_on, currency) end) * 1e-12::float8 as log
        from price
       where observed_on between ${today}::date - ${freshDays + 90}::integer and ${today}::date and ${hasRate('observed_on')}),
    last as (
      select distinct on (product_id, market_id) * from recent
       where observed_on >= ${today}::date - ${freshDays}::integer
       order by product_id, market_id, observed_on desc, collected_at desc, id desc),
    usual as (
      select last.product_id, last.market_id, last.observed_on, last.log,
             percentile_cont(0.5) within group (order by exp(recent.log)) as median
        from last join recent using (product_id, market_id)
       where recent.observed_on between last.observed_on - 90 and last.observed_on - 1
       group by 1, 2, 3, 4 having count(*) >= 5),
    cell as (
      select product_id, market_id, week, sum_log_cdf * 1e-12::float8 as sum_log, n, level,
             ${monthOf(sql`monday_of(last.observed_on)`)} - ${monthOf(sql`week`)} as back
        from last join price_week_series using (product_id, market_id) left join level using (week)
       where n > 0 and week between (last.observed_on - interval '13 months')::date and last.observed_on),
    month as (
      select product_id, market_id, back, exp(sum(sum_log) / sum(n)) as price,
             exp(sum(sum_log - n * level) / nullif(sum(n) filter (where level is not null), 0)) as deflated
        from cell where back between 0 and 12 group by 1, 2, 3),
    series as (
      select product_id, market_id,
             max(price) filter (where back = 0) / avg(price) filter (where back > 0) as nominal,
             max(deflated) filter (where back = 0) / avg(deflated) filter (where back > 0) as real
        from month group by 1, 2 having count(price) filter (where back > 0) >= 6),
    found as (
      select product_id, market_id, 'dearer' as kind, ln(nominal) as log_change, nominal / real - 1 as overall
        from series where nominal >= 1.25 and real >= 1.2
       union all
      select product_id, market_id, 'outlier', log - ln(median), null from usual where abs(log - ln(median)) > ln(3.0)),
    largest as (
      select distinct on (product_id, market_id) * from found order by product_id, market_id, abs(log_change) desc)
    insert into price_alert (product_id, market_id, kind, log_change, overall, last_day)
    select product_id, market_id, kind, log_change, overall, last.observed_on
      from largest join last using (product_id, market_id)`.execute(tx)
}

/** Months up to the one that has most of a week's days, and so its Thursday. */
const monthOf = (monday: RawBuilder<unknown>) =>
  sql`(extract(year from ${monday} + 3) * 12 + extract(month from ${monday} + 3))`

export type PriceAlert = {
  kind: 'dearer' | 'outlier'
  product: { id: number; name: string; weight: string; format: string }
  market: { id: number; name: string; location: string }
  change: number
  overall: number | null
  lastCollectedOn: string
}

type AlertFilters = Partial<Record<'productId' | 'categoryId' | 'brandId' | 'marketId', number | undefined>>

/** The most unusual series of some products and markets, and how many there are; none that has fallen silent since. */
export async function listAlerts(
  db: Db,
  { productId, categoryId, brandId, marketId }: AlertFilters,
  { limit, today }: { limit: number; today: string },
): Promise<{ data: PriceAlert[]; total: number }> {
  const { rows } = await sql<PriceAlert & { total: number }>`
    select price_alert.kind, exp(log_change) - 1 as change, overall, last_day as "lastCollectedOn", count(*) over () as total,
           json_build_object('id', product.id, 'name', product.name, 'weight', product.weight, 'format', product.format) as product,
           json_build_object('id', market.id, 'name', market.name, 'location', market.location) as market
      from price_alert
      join product on product.id = product_id join product_type type on type.id = product.type_id
      join market on market.id = market_id
     where ${allTrue([
       sql`last_day >= ${today}::date - ${freshDays}::integer`,
       productId !== undefined && sql`product_id = ${productId}::bigint`,
       marketId !== undefined && sql`market_id = ${marketId}::bigint`,
       categoryId !== undefined && sql`type.category_id = ${categoryId}::bigint`,
       brandId !== undefined && sql`product.brand_id = ${brandId}::bigint`,
     ])}
     order by abs(log_change) desc, product_id, market_id limit ${limit}`.execute(db)
  return { data: rows.map(({ total: _, ...alert }) => alert), total: rows[0]?.total ?? 0 }
}
