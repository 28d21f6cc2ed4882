import { sql } from 'kysely'
import { logUnit } from '#features/figures/price-index/price-index.sql.ts'
import { inCdf, logInCdf, rateOf } from '#features/figures/rollups/rollups.sql.ts'
import type { Follow, Mover } from '#features/follows/follows.contract.ts'
import { type DatedQuote, daysShown, monthWindows, mostFollows } from '#features/follows/follows.rules.ts'
import { marketNamed } from '#features/markets/markets.sql.ts'
import { productNamed } from '#features/products/products.sql.ts'
import { isoInstant } from '#server/db/instant.ts'
import type { Db } from '#server/db/pool.ts'
import { addDays, type Period } from '#shared/days.ts'

type FollowedRow = Omit<Follow, 'points' | 'change' | 'trend'> & { quotes: DatedQuote[] }

/** Returns what a user follows, oldest follow first, with its last price and the quotes of the last 90 days. */
export async function listFollows(
  db: Db,
  { userId, id, today }: { userId: number; id?: number; today: string },
): Promise<FollowedRow[]> {
  const last = (condition: ReturnType<typeof sql>) => sql`
    (select * from settled_price where ${condition} order by observed_on desc, collected_at desc, id desc limit 1)`
  const { rows } = await sql<FollowedRow>`
    with followed as (
      select * from follow
       where user_id = ${userId} ${id === undefined ? sql`` : sql`and id = ${id}::bigint`}
       order by created_at, id limit ${mostFollows})
    select followed.id, followed.product_id as "productId", followed.market_id as "marketId",
           ${isoInstant('followed.created_at')} as "createdAt",
           case when product.id is not null then ${productNamed} end as product,
           case when market.id is not null then ${marketNamed} end as market,
           (select ${marketNamed} from market
             where market.id = last.market_id and followed.market_id is null) as "lastMarket",
           case when followed.product_id is not null then last.price_value end as "lastPrice",
           case when followed.product_id is not null then last.currency end as currency,
           last.observed_on as "lastDay", coalesce(recent.quotes, '[]') as quotes
      from followed
      left join product on product.id = followed.product_id
      left join market on market.id = followed.market_id
      -- One branch per kind of follow: a single condition with « or » would not use the index.
      left join lateral (
        select * from ${last(sql`product_id = followed.product_id and market_id = followed.market_id`)} series
         union all
        select * from ${last(sql`product_id = followed.product_id and followed.market_id is null`)} everywhere
         union all
        select * from ${last(sql`market_id = followed.market_id and followed.product_id is null`)} here) last on true
      left join lateral (
        select json_agg(json_build_array(observed_on, ${inCdf}, (${logInCdf})::float8 * ${logUnit}::float8)
                        order by observed_on, price.id) as quotes
          from price ${rateOf('price.observed_on', 'price.currency')}
         where product_id = followed.product_id and market_id = followed.market_id
           and observed_on > ${addDays(today, -daysShown)}::date and ${logInCdf} is not null) recent on true
     order by followed.created_at, followed.id`.execute(db)
  return rows
}

/** Counts the follows of a user; locks the account, so that concurrent requests are counted one after the other. */
export async function countFollows(tx: Db, userId: number): Promise<number> {
  await sql`select from app_user where id = ${userId} for no key update`.execute(tx)
  const { count } = await tx
    .selectFrom('follow')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

type Followed = { productId?: number | null | undefined; marketId?: number | null | undefined }

export async function insertFollow(
  tx: Db,
  userId: number,
  { productId = null, marketId = null }: Followed,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into follow (user_id, product_id, market_id)
    values (${userId}, ${productId}::bigint, ${marketId}::bigint) returning id`.execute(tx)
  return rows[0]!.id
}

type MovingRow = Omit<Mover, 'change' | 'trend'> & { before: number[]; after: number[] }

/** A series without a price for this many days is left out, since its current price is unknown. */
const freshDays = 4
const leastQuotes = 3
/** Number of series with the largest differences that are measured. */
const mostMeasured = 300

/**
 * Returns the series with the largest difference between the two windows of 30 days, largest first, with the logarithms
 * of both.
 */
export async function listMoving(db: Db, today: string): Promise<MovingRow[]> {
  const { before, after } = monthWindows(today)
  const quotesOf = ({ start, end }: Period) => sql`
    select product_id, market_id, max(observed_on) as last_day,
           array_agg((${logInCdf})::float8 * ${logUnit}::float8) as logs, avg(${logInCdf})::float8 as mean
      from price ${rateOf('price.observed_on', 'price.currency')}
     where observed_on between ${start}::date and ${end}::date and ${logInCdf} is not null
     group by product_id, market_id having count(*) >= ${leastQuotes}`
  const { rows } = await sql<MovingRow>`
    with moving as (
      select product_id, market_id, later.last_day, earlier.logs as before, later.logs as after,
             abs(later.mean - earlier.mean) as size
        from (${quotesOf(after)}) later join (${quotesOf(before)}) earlier using (product_id, market_id)
       where later.last_day >= ${addDays(today, -freshDays)}::date
         -- A wrong price would be first in this list.
         and not exists (
           select from price_review review
            where review.state in ('waiting', 'returned') and observed_on >= ${before.start}::date
              and review.product_id = later.product_id and review.market_id = later.market_id)
       order by size desc, product_id, market_id limit ${mostMeasured})
    select ${productNamed} as product, ${marketNamed} as market, last.price_value as "lastPrice", last.currency,
           moving.last_day as "lastDay", moving.before, moving.after
      from moving
      join product on product.id = moving.product_id
      join market on market.id = moving.market_id
      join product_type type on type.id = product.type_id and type.kind = 'good'
      join lateral (
        select price_value, currency from settled_price
         where product_id = moving.product_id and market_id = moving.market_id and observed_on = moving.last_day
         order by collected_at desc, id desc limit 1) last on true
     order by moving.size desc, moving.product_id, moving.market_id`.execute(db)
  return rows
}
