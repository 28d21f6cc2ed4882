import { sql } from 'kysely'
import type { Absence } from '#features/collection/availability/availability.contract.ts'
import { marketNamed } from '#features/markets/markets.sql.ts'
import { lookedDays } from '#features/prices/absence/absence.sql.ts'
import { productNamed } from '#features/products/products.sql.ts'
import type { Db } from '#server/db/pool.ts'

type Asked = { productId?: number | undefined; marketId?: number | undefined }

/** Returns the series that their last visit reported absent, and how many series were priced or reported absent. */
export async function readAvailability(db: Db, asked: Asked): Promise<{ data: Absence[]; looked: number }> {
  const { productId, marketId } = asked
  const ofAsked = sql`${productId === undefined ? sql`true` : sql`product_id = ${productId}::bigint`}
    and ${marketId === undefined ? sql`true` : sql`market_id = ${marketId}::bigint`}`
  const { rows } = await sql<{ data: Absence[]; looked: number }>`
    with missed as materialized (
      select distinct on (market_id, product_id) market_id, product_id, captured_at, reason
        from collection_entry
       where kind = 'absent' and not is_replaced and captured_at > now() - interval '1 day' * ${lookedDays} and ${ofAsked}
       order by market_id, product_id, captured_at desc),
    absent as materialized (
      select * from missed
       where not exists (select from price where price.product_id = missed.product_id and price.market_id = missed.market_id
                            and collected_at > missed.captured_at)),
    found as (
      select product_id, market_id from price
       where observed_on > (now() - interval '1 day' * ${lookedDays})::date and ${ofAsked}
       group by 1, 2)
    select coalesce((
             select json_agg(shown.row order by shown.captured_at desc) from (
               select captured_at, json_build_object(
                        'product', ${productNamed}, 'market', ${marketNamed},
                        'day', (captured_at at time zone time_zone)::date, 'reason', reason) as row
                 from absent join product on product.id = absent.product_id join market on market.id = absent.market_id
                order by captured_at desc limit 200) shown), '[]') as data,
           (select count(*) from (select product_id, market_id from found union select product_id, market_id from missed) either) as looked`.execute(
    db,
  )
  return rows[0] ?? { data: [], looked: 0 }
}
