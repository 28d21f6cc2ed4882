import { type RawBuilder, sql } from 'kysely'
import { cutInWeeks, type Period, type Selection } from '#features/prices/rollups/rollups.rules.ts'

/**
 * The smallest sums that add up to a selection: rows of (day, currency, n, total, lowest, highest) in the currency of
 * collection. They come from a rollup, or, for chosen products in chosen markets, from the raw prices by their index.
 */
export function cellsOf(selection: Selection): RawBuilder<unknown> {
  if (selection.productIds && selection.marketIds) {
    return sql`select observed_on as day, currency, count(*) as n, sum(price_value) as total,
                      min(price_value) as lowest, max(price_value) as highest
                 from price where ${matching(selection, 'observed_on')} group by 1, 2`
  }
  return sql`select day, currency, n, total, lowest, highest from ${sql.table(rollupOf(selection))}
              where n > 0 and ${matching(selection, 'day')}`
}

/** The daily rollup that answers for a selection, unless it chooses both products and markets. */
export function rollupOf({ productIds, marketIds }: Selection) {
  if (productIds) return 'price_day_product'
  return marketIds ? 'price_day_market' : 'price_day'
}

/**
 * How often each series was quoted in a period: rows of (product_id, market_id, n). Whole weeks come from the weekly
 * cells, the days around them from the raw prices, where all the prices of a market are found more quickly. Prices
 * without a rate are left out.
 */
export function quotesIn(period: Period, selection: Selection) {
  const { weeks, rest } = selection.marketIds ? { weeks: null, rest: [period] } : cutInWeeks(period)
  const parts = rest.map(
    ({ start, end }) => sql`
      select product_id, market_id, 1::bigint as n from price
       where ${matching({ ...selection, startDate: start, endDate: end }, 'observed_on')} and ${hasRate('observed_on')}`,
  )
  if (weeks) {
    parts.push(sql`
      select product_id, market_id, n from price_week_series
       where n > 0 and ${matching({ ...selection, startDate: weeks.start, endDate: weeks.end }, 'week')}`)
  }
  return sql.join(parts, sql` union all `)
}

/** Whether a price, or a cell of prices, can be converted: those in dollars from the first known rate on. */
export function hasRate(day: 'day' | 'observed_on'): RawBuilder<boolean> {
  return sql`(currency = 'CDF' or ${sql.ref(day)} >= (select min(day) from exchange_rate))`
}

/** Joins the rate in force on a day as `rate`; it is null for CDF, and before the first known rate. */
export function rateOf(day: string, currency: string): RawBuilder<unknown> {
  return sql`left join lateral (
    select day, cdf_per_usd, log_rate from exchange_rate
     where ${sql.ref(currency)} = 'USD' and day <= ${sql.ref(day)} order by day desc limit 1) rate on true`
}

/** The condition that a selection is, on a table with the columns that it chooses by. */
export function matching(selection: Selection, day: 'day' | 'week' | 'observed_on'): RawBuilder<boolean> {
  const { productIds, marketIds, currency, startDate, endDate } = selection
  return allTrue([
    productIds && isOneOf('product_id', productIds),
    marketIds && isOneOf('market_id', marketIds),
    currency !== undefined && sql`currency = ${currency}`,
    startDate !== undefined && sql`${sql.ref(day)} >= ${startDate}::date`,
    endDate !== undefined && sql`${sql.ref(day)} <= ${endDate}::date`,
  ])
}

/** Conditions that must all hold; the absent ones do not count. */
export function allTrue(conditions: (RawBuilder<unknown> | false | undefined)[]): RawBuilder<boolean> {
  const present = conditions.filter((condition) => condition !== undefined && condition !== false)
  return present.length === 0 ? sql`true` : sql`${sql.join(present, sql` and `)}`
}

// Ids come from callers and may be larger than the column's type.
function isOneOf(column: string, ids: readonly number[]): RawBuilder<boolean> {
  return sql`${sql.ref(column)} = any(${ids}::bigint[])`
}
