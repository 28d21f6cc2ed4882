import { type RawBuilder, sql } from 'kysely'
import type { exportFound, FoundGood } from '#features/collection/found/found.contract.ts'
import { weightNamed } from '#features/products/products.sql.ts'
import type { QueryOf } from '#shared/contract.ts'

const shownDays = 30

/**
 * Returns a query of each good of each visit, the last visit first: the entries, and the goods on the market's list
 * without an entry.
 */
export function selectFound({
  marketId,
  startDate,
  endDate,
}: Omit<QueryOf<typeof exportFound>, 'fileFormat'>): RawBuilder<FoundGood> {
  const inPeriod = startDate
    ? // A day begins at a different instant in each zone, so one more day is read.
      sql`captured_at > ${startDate}::date - interval '1 day'`
    : sql`captured_at > now() - interval '1 day' * ${shownDays}`
  return sql<FoundGood>`
    with said as (
      select user_id, market_id, product_id, kind, reason, price_id, time_zone,
             (captured_at at time zone time_zone)::date as day
        from collection_entry entry join market on market.id = entry.market_id
       where not is_replaced and answers is null and ${inPeriod}
         and ${marketId === undefined ? sql`true` : sql`market_id = ${marketId}::bigint`}),
    visit as (
      select distinct user_id, market_id, day from said
       where day between ${startDate ?? '-infinity'}::date and ${endDate ?? 'infinity'}::date),
    good as (
      select said.user_id, market_id, day, product_id, price_id, reason,
             case kind when 'absent' then 'NA' when 'unchanged' then 'inchangé' else 'relevé' end as state
        from said join visit using (market_id, day)
       where said.user_id is not distinct from visit.user_id
       union all
      select user_id, market_id, day, listed.product_id, null, null, 'NC'
        from visit join market_list listed using (market_id)
       where not exists (select from said
                          where said.user_id is not distinct from visit.user_id and said.market_id = visit.market_id
                            and said.day = visit.day and said.product_id = listed.product_id))
    select good.day, market.name as market, market.location, product.name || ', ' || ${weightNamed} as product, product.code,
           app_user.name as agent, state, good.reason, price.price_value as "priceValue", price.currency,
           exists (select from price_review review
                    where review.price_id = good.price_id and review.state in ('waiting', 'returned')) as "isUnderReview"
      from good
      join market on market.id = good.market_id
      join product on product.id = good.product_id
      left join app_user on app_user.id = good.user_id
      left join price on price.id = good.price_id
     order by good.day desc, market.name, good.market_id, agent, product, good.product_id`
}
