import { sql } from 'kysely'
import type { AskedPrice } from '#features/prices/check/check.sql.ts'
import type { Db } from '#server/db/pool.ts'

type Found = AskedPrice & { exceptId: number }

const asAsked = sql`
  price.id as "exceptId", price.product_id as "productId", price.market_id as "marketId", price.price_value as "priceValue",
  price.currency, price.observed_on as "when", price.collector_name as "collectorName"`

/**
 * Returns prices of the last days after an id, in order of id, not judged at their present amount: imported ones, and
 * those with newer neighbours.
 */
export async function listUnjudged(
  db: Db,
  { since, after, limit }: { since: string; after: number; limit: number },
): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select ${asAsked} from price
     where observed_on >= ${since}::date and flag = 'actual' and id > ${after}::bigint
       and not exists (select from price_review review
                        where review.price_id = price.id
                          and (review.state in ('waiting', 'returned')
                               or coalesce(review.new_value, review.price_value) = price.price_value))
     order by id limit ${limit}`.execute(db)
  return rows
}

/**
 * Returns open reviews after an id, in order of id, whose only reason is `outlier`: other quotes may have confirmed them
 * in the meantime.
 */
export async function listConfirmable(
  db: Db,
  { after, limit }: { after: number; limit: number },
): Promise<(Found & { reviewId: number })[]> {
  const { rows } = await sql<Found & { reviewId: number }>`
    select review.id as "reviewId", ${asAsked} from price_review review join price on price.id = review.price_id
     where review.state in ('waiting', 'returned') and review.reasons = '{outlier}' and review.id > ${after}::bigint
     order by review.id limit ${limit}`.execute(db)
  return rows
}

/**
 * Returns prices of the last days whose product another agent reported absent from that market on that day, with that
 * agent's entry.
 */
export async function listSaidAbsent(
  db: Db,
  since: string,
  limit: number,
): Promise<{ priceId: number; absentId: number }[]> {
  const { rows } = await sql<{ priceId: number; absentId: number }>`
    select price.id as "priceId", min(entry.id) as "absentId"
      from collection_entry entry
      join market on market.id = entry.market_id
      join price on price.product_id = entry.product_id and price.market_id = entry.market_id
                and price.observed_on = (entry.captured_at at time zone market.time_zone)::date
                and price.written_by is distinct from entry.user_id
     where entry.kind = 'absent' and not entry.is_replaced and entry.reason is distinct from 'refus'
       and entry.captured_at >= ${since}::date - 1
       and price.observed_on >= ${since}::date
       and not exists (select from price_review review
                        where review.price_id = price.id
                          and (review.state in ('waiting', 'returned') or 'absent' = any(review.reasons)))
     group by price.id order by price.id limit ${limit}`.execute(db)
  return rows
}
