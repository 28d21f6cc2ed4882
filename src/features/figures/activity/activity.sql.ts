import { type RawBuilder, sql } from 'kysely'
import { countsOfCollectors, countsOfRollups } from '#features/figures/months/months.sql.ts'
import {
  asCellFilter,
  inMarkets,
  inPeriod,
  ofProducts,
  type SignedPart,
} from '#features/figures/parts/parts.rules.ts'
import { dailyCounts, matchingAny } from '#features/figures/parts/parts.sql.ts'
import { hasRate, matching, rateOf } from '#features/figures/rollups/rollups.sql.ts'
import type { Db } from '#server/db/pool.ts'

type Days = { startDate: string; endDate: string }

/**
 * Counts the prices of a selection within its days and within the previous period (null where there is no previous
 * period), with the instant of the last collection.
 */
export async function countCollected(
  db: Db,
  parts: readonly SignedPart[],
  previous: Days | null,
): Promise<{ now: number; before: number | null; lastCollectedAt: string | null }> {
  const total = (counted: readonly SignedPart[]) =>
    counted.length === 0
      ? sql`0::bigint`
      : sql`(select coalesce(sum(n), 0)::bigint from (${sql.join(counted.map(dailyCounts), sql` union all `)}) part)`
  const before = previous ? total(inPeriod(parts, previous)) : sql`null::bigint`
  const { rows } = await sql<{ now: number; before: number | null; lastCollectedAt: string | null }>`
    select ${total(parts)} as now, ${before} as before, (${lastCollected(parts)}) as "lastCollectedAt"`.execute(
    db,
  )
  return rows[0] ?? { now: 0, before: null, lastCollectedAt: null }
}

/** Returns the instant at which the last price of a selection was collected; null for an empty selection. */
export async function findLastCollected(db: Db, parts: readonly SignedPart[]): Promise<string | null> {
  const { rows } = await sql<{ last: string | null }>`select (${lastCollected(parts)}) as last`.execute(db)
  return rows[0]?.last ?? null
}

/** The latest instant may be on the day before the last day, since markets have different time zones. */
function lastCollected(parts: readonly SignedPart[]): RawBuilder<unknown> {
  if (parts.length === 0) return sql`select null::timestamptz`
  const selection = asCellFilter(parts)
  if (selection && !selection.productIds && !selection.marketIds && !selection.otherProductIds)
    return sql`select max(last_collected_at) from price_day where n > 0 and ${matching(selection, 'day')}`
  return sql`
    with last as (
      select max(last) as day from (${countsBy(selection?.marketIds ? 'market_id' : 'product_id', parts)}) counted)
    select max(collected_at) from price
     where ${matchingAny(parts)} and observed_on between (select day - 1 from last) and (select day from last)`
}

/**
 * Builds rows of (id, n, last): the number of prices of each product or market in a selection, and the day of the last
 * one.
 */
export function countsBy(
  column: 'product_id' | 'market_id',
  parts: readonly SignedPart[],
): RawBuilder<unknown> {
  const id = sql.ref(column)
  if (parts.length === 0)
    return sql`select null::integer as id, 0::bigint as n, null::date as last where false`
  const selection = asCellFilter(parts)
  const other = column === 'product_id' ? selection?.marketIds : selection?.productIds
  if (!selection || other) {
    return sql`select ${id} as id, count(*) as n, max(observed_on) as last from price
                where ${matchingAny(parts)} group by 1`
  }
  return countsOfRollups(column, selection)
}

/**
 * Adds to some products or markets the number of prices each has in the previous period; null where there is no
 * previous period. Only the given rows are counted: the first ten of a longer list.
 */
async function withCountsBefore<Row extends { id: number }>(
  db: Db,
  column: 'product_id' | 'market_id',
  rows: readonly Row[],
  parts: readonly SignedPart[] | null,
): Promise<(Row & { before: number | null })[]> {
  if (!parts) return rows.map((row) => ({ ...row, before: null }))
  const ids = rows.map(({ id }) => id)
  const ofThese = column === 'market_id' ? inMarkets(parts, ids) : ofProducts(parts, ids)
  const { rows: counts } = await sql<{ id: number; n: number }>`
    select id, n from (${countsBy(column, ofThese)}) counted`.execute(db)
  const countOf = new Map(counts.map(({ id, n }) => [id, n]))
  return rows.map((row) => ({ ...row, before: countOf.get(row.id) ?? 0 }))
}

export type ActiveMarket = {
  id: number
  name: string
  location: string
  count: number
  before: number | null
  lastCollectedOn: string | null
}

/** Returns the markets with most prices in a selection, with their number of prices in the previous period. */
export async function listActiveMarkets(
  db: Db,
  parts: readonly SignedPart[],
  previous: Days | null,
  limit: number,
): Promise<ActiveMarket[]> {
  const { rows } = await sql<Omit<ActiveMarket, 'before'>>`
    with now as (select * from (${countsBy('market_id', parts)}) counted order by n desc, id limit ${limit})
    select market.id, market.name, market.location, now.n as count, now.last as "lastCollectedOn"
      from now join market on market.id = now.id order by now.n desc, now.id`.execute(db)
  return withCountsBefore(db, 'market_id', rows, previous && inPeriod(parts, previous))
}

export type Collector = { name: string; count: number; lastCollectedAt: string }

/** Returns the collectors with most prices in a selection, in descending order. */
export async function listTopCollectors(
  db: Db,
  parts: readonly SignedPart[],
  limit: number,
): Promise<Collector[]> {
  if (parts.length === 0) return []
  const selection = asCellFilter(parts)
  const isWhole = selection && !selection.productIds && !selection.marketIds && !selection.currency
  const counted = isWhole
    ? countsOfCollectors(selection)
    : sql`select collector_name as name, count(*) as count from price where ${matchingAny(parts)} group by 1`
  const { rows } = await sql<Collector>`
    select top.*, (
      select max(collected_at) from price
       where collector_name = top.name and ${matchingAny(parts)} and observed_on >= (
         select max(observed_on) - 1 from price where collector_name = top.name and ${matchingAny(parts)})) as "lastCollectedAt"
      from (select * from (${counted}) counted order by count desc, name limit ${limit}) top
     order by count desc, name`.execute(db)
  return rows
}

export type MonitoredProduct = {
  id: number
  name: string
  weight: string
  format: string
  count: number
  before: number | null
  lastCollectedOn: string | null
}

/** Returns the products with most prices in a selection, with their number of prices in the previous period. */
export async function listMonitoredProducts(
  db: Db,
  parts: readonly SignedPart[],
  previous: Days | null,
  limit: number,
): Promise<MonitoredProduct[]> {
  const { rows } = await sql<Omit<MonitoredProduct, 'before'>>`
    with now as (select * from (${countsBy('product_id', parts)}) counted order by n desc, id limit ${limit})
    select product.id, product.name, product.weight, product.format, now.n as count, now.last as "lastCollectedOn"
      from now join product on product.id = now.id order by now.n desc, now.id`.execute(db)
  return withCountsBefore(db, 'product_id', rows, previous && inPeriod(parts, previous))
}

/**
 * A market and its prices in a selection: count, mean in CDF (only for a selection of one product), first and last day.
 */
export type MarketPrices = {
  id: number
  name: string
  location: string
  province: string | null
  latitude: number | null
  longitude: number | null
  prices: number
  level: number | null
  firstDay: string | null
  lastDay: string | null
}

/**
 * Returns the markets with most prices in a selection, markets without prices last, and the total number of markets.
 *
 * @param isOfOne whether the selection is of one product: only then does a market have a mean price (in CDF)
 */
export async function listMarketPrices(
  db: Db,
  parts: readonly SignedPart[],
  { isOfOne, limit }: { isOfOne: boolean; limit: number },
): Promise<{ markets: MarketPrices[]; total: number }> {
  const selection = asCellFilter(parts)
  const found =
    parts.length === 0
      ? sql`select null::integer as id, 0::bigint as n, null::date as first, null::date as last, null::float8 as mean where false`
      : isOfOne || !selection || selection.productIds
        ? sql`
        select market_id as id, count(*) as n, min(observed_on) as first, max(observed_on) as last,
               ${isOfOne ? sql`avg(price_value * case currency when 'CDF' then 1 else rate.cdf_per_usd end)::float8` : sql`null::float8`} as mean
          from price ${isOfOne ? rateOf('price.observed_on', 'price.currency') : sql``}
         where ${matchingAny(parts)} and ${hasRate('observed_on')} group by 1`
        : sql`
        select id, n, last, null::float8 as mean,
               (select observed_on from price where market_id = counted.id and ${matching(selection, 'observed_on')}
                   and ${hasRate('observed_on')} order by observed_on limit 1) as first
          from (${countsOfRollups('market_id', selection, true)}) counted`
  const { rows } = await sql<MarketPrices & { total: number }>`
    select market.id, name, location, province, latitude, longitude, coalesce(found.n, 0) as prices,
           found.first as "firstDay", found.last as "lastDay", found.mean as level, count(*) over () as total
      from market left join (${found}) found on found.id = market.id
     order by prices desc, market.id limit ${limit}`.execute(db)
  return { markets: rows.map(({ total: _, ...market }) => market), total: rows[0]?.total ?? 0 }
}
