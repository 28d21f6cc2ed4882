import { type RawBuilder, sql } from 'kysely'
import type { AbsenceSince } from '#features/prices/absence/absence.contract.ts'

/** Number of days after which a visit no longer says whether a product is available. */
export const lookedDays = 30

/**
 * Returns the absence of a series as `AbsenceSince`; null where the last visit found the product, or where there was no
 * visit in the last 30 days.
 * @param of columns that hold the ids of the product and of the market
 */
export function absenceOf(of: {
  product: RawBuilder<unknown>
  market: RawBuilder<unknown>
}): RawBuilder<AbsenceSince | null> {
  return sql<AbsenceSince | null>`(
    select json_build_object('since', (min(captured_at) at time zone min(place.time_zone))::date,
                             'reason', (array_agg(reason order by captured_at desc))[1])
      from collection_entry missed join market place on place.id = missed.market_id
     where missed.market_id = ${of.market} and missed.product_id = ${of.product}
       and missed.kind = 'absent' and not missed.is_replaced
       and captured_at > coalesce((
         select collected_at from price quoted
          where quoted.product_id = ${of.product} and quoted.market_id = ${of.market}
          order by observed_on desc, collected_at desc, id desc limit 1), '-infinity')
    having max(captured_at) > now() - interval '1 day' * ${lookedDays})`
}
