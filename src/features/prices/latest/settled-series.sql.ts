import { type RawBuilder, sql } from 'kysely'

/**
 * Builds the query of the series of a product, or of a market, that have a settled price. Its columns are the market of
 * each series (or its product), and `last_day`, the day of the last settled price. An index-only scan finds the days;
 * settled prices are read only for series with an open review.
 */
export function settledSeriesOf(column: 'product_id' | 'market_id', id: number): RawBuilder<unknown> {
  const own = sql.ref(column)
  const other = sql.ref(column === 'product_id' ? 'market_id' : 'product_id')
  return sql`
    select * from (
      select ${other}, case
               when ${other} not in (select ${other} from price_review
                                      where ${own} = ${id}::bigint and state in ('waiting', 'returned')) then last_day
               else (select observed_on from settled_price settled
                      where settled.${own} = ${id}::bigint and settled.${other} = quoted.${other}
                        and observed_on between first_day and last_day
                      order by observed_on desc limit 1) end as last_day
        from (select ${other}, min(observed_on) as first_day, max(observed_on) as last_day
                from price where ${own} = ${id}::bigint group by 1) quoted) series
     where last_day is not null`
}
