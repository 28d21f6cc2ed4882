import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/db/pool.ts'

/**
 * The staged prices that the database lacks, each once: the same series, local day, currency, amount and flag are the
 * same price. A day without a time of its own is its noon at the market; a time without an offset is the market's; now,
 * if that comes first.
 */
const missingPrices: RawBuilder<unknown> = sql`
  select distinct on (observed_on, product_id, market_id, currency, price_value, flag) *
    from (
      select product.id as product_id, market.id as market_id, cents * 0.01 as price_value, staged.currency, flag,
             collector, source, line,
             coalesce(instant, case when local is null then noon_of(day, market.time_zone)
                                    else least(local at time zone market.time_zone, now()) end) as collected_at,
             coalesce((instant at time zone market.time_zone)::date, day) as observed_on
        from staged_price staged
        join staged_market market on market.key = staged.market
        join staged_product product on product.key = staged.product
        join staged_origin origin on origin.key = staged.origin) read
   where not exists (
     select from price where price.product_id = read.product_id and price.market_id = read.market_id
        and price.observed_on = read.observed_on and price.currency = read.currency
        and price.price_value = read.price_value and price.flag = read.flag)
   order by observed_on, product_id, market_id, currency, price_value, flag, line`

/** The highest id that a price has been given so far, kept or not. */
export async function lastPriceId(tx: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select case when is_called then last_value else last_value - 1 end as id from price_id_seq`.execute(tx)
  return rows[0]?.id ?? 0
}

export async function countMissingPrices(tx: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from (${missingPrices}) missing`.execute(tx)
  return rows[0]?.n ?? 0
}

/**
 * Writes the staged prices that the database lacks, oldest first, in the lane of bulk loads (migration 0006). All of
 * them in one statement: its triggers then take every cell in the order in which all writers do, so that none can
 * deadlock with another.
 *
 * @returns how many
 */
export async function insertMissingPrices(
  tx: Db,
  { writtenBy, importId }: { writtenBy: number | null; importId: number | null },
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into price (product_id, market_id, price_value, currency, flag, collector_name, source, collected_at,
                       observed_on, lane, written_by, import_id)
    select product_id, market_id, price_value, currency, flag, collector, source, collected_at,
           observed_on, 15, ${writtenBy}::integer, ${importId}::integer
      from (${missingPrices}) missing
     order by observed_on, product_id, market_id`.execute(tx)
  return Number(numAffectedRows)
}
