import { sql } from 'kysely'
import { mostWanted } from '#features/collection/lists/lists.contract.ts'
import { shelfOrder, usualIn, withShelves } from '#features/collection/lists/lists.sql.ts'
import { mondayThere, todayThere } from '#features/collection/plans/plans.sql.ts'
import { mostGoods, type RoundGood, type RoundMarket } from '#features/collection/rounds/rounds.contract.ts'
import { mostRoundMarkets } from '#features/collection/rounds/rounds.rules.ts'
import { logUnit } from '#features/figures/price-index/price-index.sql.ts'
import { inCdf, logInCdf, rateOf } from '#features/figures/rollups/rollups.sql.ts'
import type { SeriesFigures } from '#features/prices/check/check.rules.ts'
import { weightNamed } from '#features/products/products.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { inFrench } from '#server/db/selection.ts'

/** Returns the markets where a user may collect, their own first; or one market. */
export async function listRoundMarkets(db: Db, userId: number, id?: number): Promise<RoundMarket[]> {
  const { rows } = await sql<RoundMarket>`
    select market.id, name, location, time_zone as "timeZone", own.user_id is not null as "isOwn", planned.at as "plannedOn"
      from market
      left join lateral (
        select min(due_on) as at
          from planned_days(${todayThere} - 6, ${todayThere} + 6) due join planned_visit plan on plan.id = due.plan_id
         where due.market_id = market.id and due.user_id = ${userId} and not is_done
           -- A weekly visit may be made until Sunday.
           and due_on >= case when plan.weekday is null then ${todayThere} - 1 else ${mondayThere} end) planned on true
      left join agent_market own on own.market_id = market.id and own.user_id = ${userId}
     where ${id === undefined ? sql`true` : sql`market.id = ${id}::bigint`}
     order by planned.at, own.user_id is null, ${inFrench('name')}, market.id limit ${mostRoundMarkets}`.execute(
    db,
  )
  return rows
}

/** A good of a round, with the figures that its usual prices are computed from. */
export type GoodReading = Omit<RoundGood, 'usual'> & {
  figures: SeriesFigures
  /** The last price in CDF at the rate of its day; null without a price or a rate. */
  lastInFrancs: number | null
}

/** Returns the goods on the list of a market, or those usually priced there where it has none. */
export async function listGoods(db: Db, marketId: number): Promise<GoodReading[]> {
  const { rows } = await sql<GoodReading>`
    with wanted as materialized (
      select product_id, quotes_wanted from market_list where market_id = ${marketId}
       union all
      select product_id, 1 from (${usualIn(marketId)}) usual
       where not exists (select from market_list where market_id = ${marketId})),
    quote as materialized (
      select product_id, ${inCdf} as value, (${logInCdf})::float8 * ${logUnit}::float8 as log
        from price ${rateOf('price.observed_on', 'price.currency')}
       where market_id = ${marketId} and product_id in (select product_id from wanted)
         and observed_on > (now() - interval '90 days')::date and ${logInCdf} is not null),
    middle as (
      select product_id, count(*) as quotes, percentile_cont(0.5) within group (order by value) as median,
             percentile_cont(0.5) within group (order by log) as log
        from quote group by product_id),
    spread as (
      select product_id, percentile_cont(0.5) within group (order by abs(quote.log - middle.log)) as mad
        from quote join middle using (product_id) group by product_id)
    select product.id as "productId", product.name, ${weightNamed} as weight, wanted.quotes_wanted as "quotesWanted",
           case when last.day is not null
             then json_build_object('value', last.price_value, 'currency', last.currency, 'day', last.day) end as "lastPrice",
           last.price_value * case last.currency when 'CDF' then 1 else cdf_per_usd_on(last.day) end as "lastInFrancs",
           json_build_object('quotes', coalesce(middle.quotes, 0), 'median', middle.median, 'medianLog', middle.log,
                             'madLog', spread.mad) as figures,
           absent.absence
      from ${withShelves(sql`wanted`)}
      left join middle on middle.product_id = wanted.product_id
      left join spread on spread.product_id = wanted.product_id
      left join lateral (
        select price_value, currency, observed_on as day, collected_at from settled_price
         where market_id = ${marketId} and product_id = wanted.product_id
         order by observed_on desc, collected_at desc, settled_price.id desc limit 1) last on true
      left join lateral (
        select json_build_object('day', (captured_at at time zone time_zone)::date, 'reason', reason) as absence
          from collection_entry entry join market on market.id = entry.market_id
         where entry.market_id = ${marketId} and entry.product_id = wanted.product_id and kind = 'absent'
           and not is_replaced and captured_at > coalesce(last.collected_at, '-infinity')
         order by captured_at desc limit 1) absent on true
     order by ${shelfOrder} limit ${mostWanted}`.execute(db)
  return rows
}

/** Returns products by name, up to the number that a phone holds. */
export async function listCatalogue(db: Db): Promise<Pick<RoundGood, 'productId' | 'name' | 'weight'>[]> {
  const { rows } = await sql<Pick<RoundGood, 'productId' | 'name' | 'weight'>>`
    select id as "productId", name, ${weightNamed} as weight from product
     order by ${inFrench('name')}, weight, id limit ${mostGoods}`.execute(db)
  return rows
}
