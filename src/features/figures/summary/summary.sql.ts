import { type RawBuilder, sql } from 'kysely'
import {
  cellsOfCategory,
  countsInCategory,
  countsInPlace,
  countsOfRollups,
  type WholePlace,
} from '#features/figures/months/months.sql.ts'
import { asCellFilter, type SignedPart } from '#features/figures/parts/parts.rules.ts'
import { matchingAny } from '#features/figures/parts/parts.sql.ts'
import { cellsOf, hasRate, matching, quotesOf, rateOf } from '#features/figures/rollups/rollups.sql.ts'
import { type StoredIndex, storedIndex } from '#features/figures/stored-index/indices.sql.ts'
import type { Db } from '#server/db/pool.ts'

/** The figures of a whole selection, in CDF; averages are null without prices. */
export type WholeFigures = {
  count: number
  averagePrice: number | null
  minPrice: number | null
  maxPrice: number | null
  countInCdf: number
  countInUsd: number
  excluded: number
  /** Prices in dollars converted at a rate more than 7 days old. */
  atOldRate: number
  firstDay: string | null
  lastDay: string | null
  lastCollectedAt: string | null
  storedIndex: StoredIndex | null
  /** The number of prices of each product and each market: the 50 largest of each. */
  shares: Share[] | null
}

export type DayFigures = { date: string; count: number; averagePrice: number }

export type Share = { id: number; name: string; count: number } & (
  | { dimension: 'product'; weight: string }
  | { dimension: 'market' }
)

/**
 * What a selection covers completely, whatever its days: the name of its stored index, its category, and its place;
 * null where it covers none.
 */
export type Whole = { indexName: string | null; categoryId: number | null; place: WholePlace | null }

const mostDays = 5_000
const mostShares = 50

/** Runs several reads in one snapshot, so that they see the same prices despite concurrent writes. */
export function readTogether<T>(db: Db, work: (snapshot: Db) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work)
}

/** Reads the figures of a whole selection, and of its days with prices, oldest first, the last 5 000 at most. */
export async function readFigures(
  db: Db,
  parts: readonly SignedPart[],
  { indexName, ...of }: Whole,
): Promise<{ whole: WholeFigures; days: DayFigures[] }> {
  const { rows } = await sql<WholeFigures & { days: [date: string, count: number, averagePrice: number][] }>`
    with rated as (
      select cell.*, case cell.currency when 'CDF' then 1 else rate.cdf_per_usd end as rate,
             cell.day - rate.day > 7 as is_old
        from (select day, currency, sum(n) as n, sum(total) as total, min(lowest) as lowest, max(highest) as highest
                from (${dailyCells(parts, of.categoryId)}) part group by 1, 2) cell ${rateOf('cell.day', 'cell.currency')}),
    daily as (
      select day, sum(total * rate) as total, min(lowest * rate) as lowest, max(highest * rate) as highest,
             coalesce(sum(n) filter (where rate is not null), 0) as n,
             coalesce(sum(n) filter (where currency = 'CDF'), 0) as in_cdf,
             coalesce(sum(n) filter (where rate is null), 0) as excluded,
             coalesce(sum(n) filter (where is_old), 0) as at_old_rate
        from rated group by day),
    last_day as (select max(day) as day from daily where n > 0),
    last_days as (select day, n, total / n as average from daily where n > 0 order by day desc limit ${mostDays})
    select coalesce(sum(n), 0) as count, sum(total) / nullif(sum(n), 0) as "averagePrice",
           min(lowest) as "minPrice", max(highest) as "maxPrice",
           coalesce(sum(in_cdf), 0) as "countInCdf", coalesce(sum(n) - sum(in_cdf), 0) as "countInUsd",
           coalesce(sum(excluded), 0) as excluded, coalesce(sum(at_old_rate), 0) as "atOldRate",
           min(day) filter (where n > 0) as "firstDay", max(day) filter (where n > 0) as "lastDay",
           (${lastCollected(parts)}) as "lastCollectedAt",
           ${indexName === null ? sql`null` : storedIndex(indexName)} as "storedIndex",
           (${sharesOf(parts, of)}) as shares,
           (select coalesce(json_agg(json_build_array(day, n, average) order by day), '[]') from last_days) as days
      from daily`.execute(db)
  if (!rows[0]) throw new Error('an aggregate without groups answers one row')
  const { days, ...whole } = rows[0]
  // One JSON text is much faster to read than one row per day.
  return { whole, days: days.map(([date, count, averagePrice]) => ({ date, count, averagePrice })) }
}

/** Counts the prices of a selection that figures exclude: those in dollars before the first rate. */
export async function countExcluded(db: Db, parts: readonly SignedPart[]): Promise<number> {
  const isBefore = (day: RawBuilder<unknown>, first: RawBuilder<unknown>) =>
    sql`currency = 'USD' and (${day} < ${first}) is not false`
  const firstRate = sql`(select min(day) from exchange_rate)`
  // Usually there are none, which the daily rollup of all prices shows at once.
  const { rows } = await sql<{ first: string | null; hasAny: boolean }>`
    select ${firstRate} as first,
           exists (select from price_day where n > 0 and ${isBefore(sql`day`, firstRate)}) as "hasAny"`.execute(
    db,
  )
  const [rates] = rows
  if (!rates?.hasAny || parts.length === 0) return 0
  const counted = await sql<{ count: number }>`
    select count(*) as count from price
     where ${matchingAny(parts)} and ${isBefore(sql`observed_on`, sql`${rates.first}::date`)}`.execute(db)
  return counted.rows[0]?.count ?? 0
}

/**
 * Counts the prices of a selection converted from dollars, those of them at a rate more than 7 days old, and those that
 * figures exclude, before the first rate.
 */
export async function countDollars(
  db: Db,
  parts: readonly SignedPart[],
  { categoryId }: Pick<Whole, 'categoryId'>,
): Promise<{ converted: number; atOldRate: number; excluded: number }> {
  const none = { converted: 0, atOldRate: 0, excluded: 0 }
  if (parts.length === 0) return none
  const { rows } = await sql<typeof none>`
    select coalesce(sum(n) filter (where rate.day is not null), 0) as converted,
           coalesce(sum(n) filter (where cell.day - rate.day > 7), 0) as "atOldRate",
           coalesce(sum(n) filter (where rate.day is null), 0) as excluded
      from (select day, currency, sum(n) as n from (${dailyCells(parts, categoryId)}) part
             where currency = 'USD' group by 1, 2) cell ${rateOf('cell.day', 'cell.currency')}`.execute(db)
  return rows[0] ?? none
}

/** Builds rows of (day, currency, n, total, lowest, highest), from rollups where these can answer. */
function dailyCells(parts: readonly SignedPart[], categoryId: number | null): RawBuilder<unknown> {
  const selection = asCellFilter(parts)
  if (selection) return categoryId === null ? cellsOf(selection) : cellsOfCategory(categoryId, selection)
  return sql`select observed_on as day, currency, count(*) as n, sum(price_value) as total,
                    min(price_value) as lowest, max(price_value) as highest
               from price where ${matchingAny(parts)} group by 1, 2`
}

/**
 * Builds the query of the instant of the last price of a selection. It may be on the day before the last: time zones
 * differ by an hour.
 */
function lastCollected(parts: readonly SignedPart[]): RawBuilder<unknown> {
  const selection = asCellFilter(parts)
  const isWhole = selection && !selection.productIds && !selection.marketIds && !selection.otherProductIds
  const [table, day, instant] = isWhole
    ? (['price_day', 'day', 'last_collected_at'] as const)
    : (['price', 'observed_on', 'collected_at'] as const)
  return sql`
    select max(${sql.ref(instant)}) from ${sql.table(table)}
     where ${isWhole ? matching(selection, day) : matchingAny(parts)} and ${hasRate(day)}
       and ${sql.ref(day)} between (select day - 1 from last_day) and (select day from last_day)`
}

/** Builds one JSON array of `Share`. */
function sharesOf(parts: readonly SignedPart[], of: Omit<Whole, 'indexName'>): RawBuilder<Share[]> {
  const { product: byProduct, market: byMarket } = countsOf(parts, of)
  return sql`
    with product_share as (
      select id, sum(n) as count from (${byProduct}) cell group by 1 order by 2 desc, 1 limit ${mostShares}),
    market_share as (
      select id, sum(n) as count from (${byMarket}) cell group by 1 order by 2 desc, 1 limit ${mostShares}),
    share as (
      select 'product' as dimension, id, name, weight, count from product_share join product using (id)
       union all
      select 'market', id, name, null, count from market_share join market using (id))
    select json_agg(share order by dimension, count desc, id) from share`
}

/** Builds rows (id, n) of products and of markets. */
function countsOf(
  parts: readonly SignedPart[],
  { categoryId, place }: Omit<Whole, 'indexName'>,
): Record<Share['dimension'], RawBuilder<unknown>> {
  const selection = asCellFilter(parts)
  const quotes = (column: 'product_id' | 'market_id') =>
    selection
      ? sql`select ${sql.ref(column)} as id, n from (${quotesOf(selection)}) quote`
      : sql`select ${sql.ref(column)} as id, 1 as n from price where ${matchingAny(parts)} and ${hasRate('observed_on')}`
  if (!selection) return { product: quotes('product_id'), market: quotes('market_id') }
  const { productIds, marketIds } = selection
  return {
    product: marketIds
      ? place === null
        ? quotes('product_id')
        : countsInPlace(place, selection)
      : countsOfRollups('product_id', selection, true),
    market: productIds
      ? categoryId === null
        ? quotes('market_id')
        : countsInCategory(categoryId, selection)
      : countsOfRollups('market_id', selection, true),
  }
}
