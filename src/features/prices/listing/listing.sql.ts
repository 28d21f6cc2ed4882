import { type RawBuilder, sql } from 'kysely'
import { estimateReading, isWithinBudget } from '#features/figures/parts/budget.sql.ts'
import { isOnCells, type PartFilter, type SignedPart } from '#features/figures/parts/parts.rules.ts'
import {
  dailyCounts,
  findParts,
  isCheap,
  matchingAny,
  roundEstimate,
} from '#features/figures/parts/parts.sql.ts'
import { matching, rollupOf } from '#features/figures/rollups/rollups.sql.ts'
import type { prices } from '#features/prices/prices.contract.ts'
import { type PriceRow, readPrices } from '#features/prices/prices.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { offsetOf } from '#server/db/selection.ts'
import type { QueryOf } from '#shared/contract.ts'

type ListQuery = QueryOf<typeof prices.list>
export type PriceOrder = Pick<ListQuery, 'sort'>
type Page = { rows: PriceRow[]; total: number; isEstimate?: true }

/**
 * Returns a page of prices and their total. When the rollups can count the selection, the total comes from them and the
 * page is read from its own days only, so that the last page costs as much as the first. Otherwise prices are counted
 * one by one; where that would exceed the budget, the total is the planner's estimate and only the first 100 000 prices
 * can be paged through.
 */
export async function listPrices(db: Db, query: ListQuery): Promise<Page> {
  const parts = await findParts(db, query)
  const [part] = parts
  if (!part) return { rows: [], total: 0 }
  const offset = offsetOf(query)
  const order = fullOrder(query)
  const readPage = () =>
    readPrices(
      db,
      sql`select id from price where ${matchingAny(parts)} order by ${order} limit ${query.limit} offset ${offset}`,
      order,
    )
  if (parts.length === 1 && offset <= smallOffset && isCountedByDay(part.wanted)) {
    const total = await countPrices(db, part.wanted)
    return { rows: offset >= total ? [] : await readPage(), total }
  }
  const isByCells = parts.every(({ wanted }) => isOnCells(wanted))
  if (!parts.every(({ wanted }) => isCheap(wanted))) {
    const reading = await estimateReading(db, matchingAny(parts))
    if (!isWithinBudget(reading, 'count')) {
      const rows = offset >= largestOffset ? [] : await readPage()
      const total = Math.max(roundEstimate(reading.rows), rows.length && offset + rows.length)
      return { rows, total, isEstimate: true }
    }
  }
  if (!isByCells) {
    const total = await countMatching(db, parts)
    return { rows: offset >= total ? [] : await readPage(), total }
  }
  const { total, skipped, days } = await locatePage(db, parts, query)
  if (offset >= total) return { rows: [], total }

  const inDays = sql`observed_on between least(${days[0]}, ${days[1]}::date) and greatest(${days[0]}, ${days[1]}::date)`
  const isByDay = orderOf(query).column === 'observed_on'
  const rows = await readPrices(
    db,
    sql`select id from price
         where ${matchingAny(parts)} and ${isByDay ? inDays : sql`true`}
         order by ${order} limit ${query.limit} offset ${isByDay ? offset - skipped : offset}`,
    order,
  )
  return { rows, total }
}

/** Returns the prices among `ids` that the list contains. */
export async function readAmong(db: Db, query: ListQuery, ids: readonly number[]): Promise<PriceRow[]> {
  const parts = await findParts(db, query)
  if (parts.length === 0) return []
  return readPrices(db, sql`select id from price where id = any(${ids}::bigint[]) and ${matchingAny(parts)}`)
}

// Up to this offset, skipping rows by an index is faster than ranking the days of several years.
const smallOffset = 1_000

/** Highest offset when the total is an estimate: each page skips the rows before it. */
export const largestOffset = 100_000

/**
 * Returns whether a rollup alone can count these prices and an index returns them in the order of days. A filter such
 * as currency or collector would make the index skip years of other prices.
 */
function isCountedByDay({ productIds, marketIds, startDate, endDate, ...others }: PartFilter): boolean {
  const isOfOne = (productIds ?? marketIds ?? []).length <= 1 && !(productIds && marketIds)
  return isOfOne && Object.values(others).every((restriction) => restriction === undefined)
}

/** Counts prices exactly, from a rollup by day. */
async function countPrices(db: Db, wanted: PartFilter): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(n), 0)::bigint as total from ${sql.table(rollupOf(wanted))} where ${matching(wanted, 'day')}`.execute(
    db,
  )
  return rows[0]?.total ?? 0
}

/** Counts prices exactly, one by one. */
async function countMatching(db: Db, parts: readonly SignedPart[]): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from price where ${matchingAny(parts)}`.execute(db)
  return rows[0]?.total ?? 0
}

/** Returns a query of columns of all prices that match a condition, in the order of a list. */
export function selectPrices<Row>(
  query: PriceOrder,
  condition: RawBuilder<boolean>,
  columns: RawBuilder<unknown>,
): RawBuilder<Row> {
  return sql<Row>`select ${columns} from price where ${condition} order by ${fullOrder(query)}`
}

function fullOrder(query: PriceOrder): RawBuilder<unknown> {
  const { column, direction } = orderOf(query)
  const byHour = column === 'observed_on' ? sql`price.collected_at ${direction},` : sql``
  return sql`${sql.ref(`price.${column}`)} ${direction}, ${byHour} price.id ${direction}`
}

function orderOf({ sort = '-observedOn' }: PriceOrder) {
  return {
    column: sort.endsWith('priceValue') ? 'price_value' : 'observed_on',
    direction: sort.startsWith('-') ? sql`desc` : sql`asc`,
  } as const
}

/** Total number of prices, how many of them are on days before the page, and the first and last day of the page. */
type Place = { total: number; skipped: number; days: [first: string | null, last: string | null] }

async function locatePage(db: Db, parts: SignedPart[], query: ListQuery): Promise<Place> {
  const { direction } = orderOf(query)
  const offset = offsetOf(query)
  const { rows } = await sql<Place>`
    with counted as (
      select day, sum(n)::bigint as n
        from (${sql.join(parts.map(dailyCounts), sql` union all `)}) part group by day having sum(n) > 0),
    ranked as (select day, sum(n) over (order by day ${direction})::bigint as until from counted)
    select coalesce(max(until), 0) as total,
           coalesce(max(until) filter (where until <= ${offset}), 0) as skipped,
           array[(array_agg(day order by until) filter (where until > ${offset}))[1],
                 coalesce((array_agg(day order by until) filter (where until >= ${offset + query.limit}))[1],
                          (array_agg(day order by until desc))[1])] as days
      from ranked`.execute(db)
  const [place] = rows
  if (!place) throw new Error('an aggregate without groups answers one row')
  return place
}
