import { type RawBuilder, sql } from 'kysely'
import { conditionsOnCells } from '#features/figures/filters/filters.sql.ts'
import type { CellFilter } from '#features/figures/rollups/rollups.rules.ts'

/**
 * Builds the cells that add up to a selection: rows of (day, currency, n, total, lowest, highest) in the currency of
 * collection. They come from a rollup, or, for chosen products in chosen markets, from the raw prices by their index.
 */
export function cellsOf({ otherProductIds: others, ...selection }: CellFilter): RawBuilder<unknown> {
  if (others) return cellsWithout(others, selection)
  if (selection.productIds && selection.marketIds) {
    return sql`select observed_on as day, currency, count(*) as n, sum(price_value) as total,
                      min(price_value) as lowest, max(price_value) as highest
                 from price where ${matching(selection, 'observed_on')} group by 1, 2`
  }
  return sql`select day, currency, n, total, lowest, highest from ${sql.table(rollupOf(selection))}
              where n > 0 and ${matching(selection, 'day')}`
}

/**
 * Builds the cells of a selection minus those of some products: for example services and wages among ten million goods,
 * in 150 ms. Where an excluded product has the lowest or highest price of a day, the extremes of the remaining goods
 * are read again, unless other days already prove that the overall minimum and maximum in CDF are elsewhere; such a day
 * then has a null minimum or maximum.
 */
function cellsWithout(others: readonly number[], selection: CellFilter): RawBuilder<unknown> {
  const daily = (cells: RawBuilder<unknown>) => sql`
    select day, currency, sum(n) as n, sum(total) as total, min(lowest) as lowest, max(highest) as highest
      from (${cells}) cell group by 1, 2`
  const { marketIds, currency } = selection
  const left = { marketIds, currency, otherProductIds: others }
  const looked = marketIds
    ? sql`select observed_on, currency, 0, 0, min(price_value), max(price_value) from price
           where observed_on = any(array(select day from taken)) and ${matching(left, 'observed_on')} group by 1, 2`
    : sql`select day, currency, 0, 0, min(lowest), max(highest) from price_day_product
           where day = any(array(select day from taken)) and n > 0 and ${matching(left, 'day')} group by 1, 2`
  return sql`
    (with cell as materialized (
      select day, currency, whole.n - coalesce(other.n, 0) as n, whole.total - coalesce(other.total, 0) as total,
             case when other.lowest <= whole.lowest then null else whole.lowest end as lowest,
             case when other.highest >= whole.highest then null else whole.highest end as highest,
             whole.lowest * rate as below, whole.highest * rate as above, rate
        from (${daily(cellsOf(selection))}) whole
        left join (${daily(cellsOf({ ...selection, productIds: others }))}) other using (day, currency),
             lateral (select case whole.currency when 'CDF' then 1 else rate.cdf_per_usd end as rate
                        from (values (1)) one ${rateOf('whole.day', 'whole.currency')}) rated
       where whole.n > coalesce(other.n, 0)),
    bounds as (select min(lowest * rate) as lowest, max(highest * rate) as highest from cell),
    taken as (
      select day from cell, bounds
       where rate is not null and (cell.lowest is null and (below < bounds.lowest) is not false
                                or cell.highest is null and (above > bounds.highest) is not false))
    select day, currency, n, total, lowest, highest from cell union all (${looked}))`
}

/** Returns the daily rollup that can answer a selection that does not choose both products and markets. */
export function rollupOf({ productIds, marketIds }: CellFilter) {
  if (productIds) return 'price_day_product'
  return marketIds ? 'price_day_market' : 'price_day'
}

/**
 * Builds one row of (product_id, market_id, observed_on, n) for each convertible price of a selection. For prices since
 * the first rate this is an index-only scan, ten times faster than reading the table: the summary of a city with ten
 * million prices must be answered in 150 ms.
 */
export function quotesOf(
  selection: CellFilter,
  isInside: RawBuilder<boolean> = sql`true`,
): RawBuilder<unknown> {
  const firstRate = sql`(select coalesce(min(day), 'infinity') from exchange_rate)`
  const quotes = (isRated: RawBuilder<unknown>) => sql`
    select product_id, market_id, observed_on, 1::bigint as n from price
     where ${matching(selection, 'observed_on')} and ${isInside} and ${isRated}`
  return sql`
    ${quotes(sql`observed_on >= ${firstRate}`)}
     union all ${quotes(sql`observed_on < ${firstRate} and currency = 'CDF'`)}`
}

/**
 * Builds the condition that a price, or a cell of prices, can be converted: it is in CDF, or not before the first rate.
 */
export function hasRate(day: 'day' | 'observed_on'): RawBuilder<boolean> {
  return sql`(currency = 'CDF' or ${sql.ref(day)} >= (select min(day) from exchange_rate))`
}

/** Joins the rate in force on a day as `rate`; it is null for CDF, and before the first rate. */
export function rateOf(day: string, currency: string): RawBuilder<unknown> {
  return sql`left join lateral (
    select day, cdf_per_usd, log_rate from exchange_rate
     where ${sql.ref(currency)} = 'USD' and day <= ${sql.ref(day)} order by day desc limit 1) rate on true`
}

/** ln of a price in CDF, in units of 1 / 10¹²; needs `rateOf`; null before the first rate. */
export const logInCdf = sql`case currency when 'CDF' then log_value else log_value + rate.log_rate end`
/** A price in CDF; needs `rateOf`; null before the first rate. */
export const inCdf = sql`case currency when 'CDF' then price_value else price_value * rate.cdf_per_usd end`

/** Builds the condition of a selection, for a table that has the columns it filters on. */
export function matching(
  { productIds, marketIds, otherProductIds, ...plain }: CellFilter,
  day: 'day' | 'week' | 'observed_on',
): RawBuilder<boolean> {
  return allTrue([
    productIds && isOneOf('product_id', productIds),
    otherProductIds && sql`product_id <> all(${otherProductIds}::bigint[])`,
    marketIds && isOneOf('market_id', marketIds),
    ...conditionsOnCells(plain, { day: sql.ref(day) }),
  ])
}

/** Joins conditions with `and`; ignores absent ones. */
export function allTrue(conditions: (RawBuilder<unknown> | false | undefined)[]): RawBuilder<boolean> {
  const present = conditions.filter((condition) => condition !== undefined && condition !== false)
  return present.length === 0 ? sql`true` : sql`${sql.join(present, sql` and `)}`
}

// Ids come from callers and may exceed the range of the column type.
function isOneOf(column: string, ids: readonly number[]): RawBuilder<boolean> {
  return sql`${sql.ref(column)} = any(${ids}::bigint[])`
}
