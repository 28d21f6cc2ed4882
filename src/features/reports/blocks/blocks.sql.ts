import { sql } from 'kysely'
import type { PriceFilter } from '#features/figures/filters/filters.contract.ts'
import { conditionsOnSeries } from '#features/figures/filters/filters.sql.ts'
import { logUnit } from '#features/figures/price-index/price-index.sql.ts'
import { logInCdf, rateOf } from '#features/figures/rollups/rollups.sql.ts'
import { marketNamed } from '#features/markets/markets.sql.ts'
import { productNamed } from '#features/products/products.sql.ts'
import type { SeriesOfBlock, Windows } from '#features/reports/blocks/sections.rules.ts'
import type { Db } from '#server/db/pool.ts'
import { addDays, type Period } from '#shared/days.ts'

/** Number of days in which the quotes of series are counted. */
const daysCounted = 365

/** Returns the series of goods of a selection with most quotes in a year, sorted by product, then by market. */
export async function listSeriesOf(
  db: Db,
  selection: PriceFilter,
  { today, limit, month, year }: { today: string; limit: number; month: Windows; year: Windows },
): Promise<SeriesOfBlock[]> {
  const ids = { product: sql`week.product_id`, market: sql`week.market_id` }
  const conditions = conditionsOnSeries(selection, ids)
  const goods =
    selection.productId === undefined && selection.kind === undefined
      ? sql`and week.product_id in (select product.id from product join product_type on product_type.id = type_id where kind = 'good')`
      : sql``
  const logsIn = ({ start, end }: Period) => sql`
    coalesce((array_agg(price.log) filter (where price.observed_on between ${start}::date and ${end}::date)), '{}')`
  const windows = ({ before, after }: Windows) =>
    sql`json_build_object('before', ${logsIn(before)}, 'after', ${logsIn(after)})`
  const oldest = [month.before.start, year.before.start].sort()[0]
  const { rows } = await sql<SeriesOfBlock>`
    with chosen as (
      select week.product_id, week.market_id, sum(week.n) as quotes from price_week_series week
       where week.week >= ${addDays(today, -daysCounted)}::date ${goods}
         and ${conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`}
       group by 1, 2 having sum(week.n) > 0
       order by quotes desc, 1, 2 limit ${limit})
    select ${productNamed} as product, ${marketNamed} as market, last.price_value as "lastPrice", last.currency,
           last.observed_on as "lastDay", moved.month, moved.year
      from chosen
      join product on product.id = chosen.product_id
      join market on market.id = chosen.market_id
      join lateral (
        select price_value, currency, observed_on from settled_price price
         where price.product_id = chosen.product_id and price.market_id = chosen.market_id
         order by observed_on desc, collected_at desc, id desc limit 1) last on true
      join lateral (
        select ${windows(month)} as month, ${windows(year)} as year
          from (
            select observed_on, (${logInCdf})::float8 * ${logUnit}::float8 as log
              from price ${rateOf('price.observed_on', 'price.currency')}
             where price.product_id = chosen.product_id and price.market_id = chosen.market_id
               and observed_on >= ${oldest}::date and ${logInCdf} is not null) price) moved on true
     order by product.name collate "fr-x-icu", product.id, market.name collate "fr-x-icu", market.id`.execute(
    db,
  )
  return rows
}

/** Returns whether a selection has a price written or corrected after an instant. */
export async function hasNewPrice(db: Db, selection: PriceFilter, since: string): Promise<boolean> {
  const ids = { product: sql`price.product_id`, market: sql`price.market_id` }
  const conditions = conditionsOnSeries(selection, ids)
  const { rows } = await sql<{ isNew: boolean }>`
    select exists (
      select from price
       where updated_at > ${since}::timestamptz
         and ${conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`}) as "isNew"`.execute(db)
  return rows[0]?.isNew === true
}
