import { type RawBuilder, sql } from 'kysely'
import { type PriceFilter, priceFilterNames } from '#features/prices/filters/filters.contract.ts'
import { conditionsOnPrices, findKeys, wordsFound } from '#features/prices/filters/filters.sql.ts'
import { isWithinBudget, weighReading } from '#features/prices/listing/budget.sql.ts'
import {
  type Found,
  isOnCells,
  type PartFilter,
  partsOf,
  rolledUp,
  type SignedPart,
} from '#features/prices/listing/listing.rules.ts'
import type { prices } from '#features/prices/prices.contract.ts'
import { type PriceRow, readPrices } from '#features/prices/prices.sql.ts'
import { allTrue, matching, rollupOf } from '#features/prices/rollups/rollups.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { containsWord, offsetOf, wordsOfSearch } from '#server/db/selection.ts'
import type { QueryOf } from '#shared/contract.ts'

type ListQuery = QueryOf<typeof prices.list>
export type PriceOrder = Pick<ListQuery, 'sort'>
type Page = { rows: PriceRow[]; total: number; isEstimate?: true }

/**
 * A page of prices, and how many there are in all. What cells of days can tell is counted there, and the page read from the
 * days it lies in, so that the last page costs what the first does. The rest is counted in the prices; where that would go
 * beyond the budget, the total is what the planner expects, and a page is read up to the first 100 000.
 */
export async function listPrices(db: Db, query: ListQuery): Promise<Page> {
  const parts = await findParts(db, query)
  const [part] = parts
  if (!part) return { rows: [], total: 0 }
  const offset = offsetOf(query)
  const order = fullOrder(query)
  const passing = () =>
    readPrices(
      db,
      sql`select id from price where ${matchingAny(parts)} order by ${order} limit ${query.limit} offset ${offset}`,
      order,
    )
  if (parts.length === 1 && offset <= nearest && isCountedByDay(part.wanted)) {
    const total = await countPrices(db, part.wanted)
    return { rows: offset >= total ? [] : await passing(), total }
  }
  const isByCells = parts.every(({ wanted }) => isOnCells(wanted))
  if (!parts.every(({ wanted }) => isCheap(wanted))) {
    const reading = await weighReading(db, matchingAny(parts))
    if (!isWithinBudget(reading, 'count')) {
      const rows = offset >= mostPassed ? [] : await passing()
      const total = Math.max(rounded(reading.rows), rows.length && offset + rows.length)
      return { rows, total, isEstimate: true }
    }
  }
  if (!isByCells) {
    const total = await countMatching(db, parts)
    return { rows: offset >= total ? [] : await passing(), total }
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

// Passing over so many prices by an index takes less than ranking the days of years.
const nearest = 1_000

/** Of an estimated total, so many prices can be paged through: each page passes over those before it. */
export const mostPassed = 100_000

/** How many prices parts have, estimated; null where cells tell, or where reading them is within the budget. */
export async function estimateBeyondBudget(db: Db, parts: readonly SignedPart[]): Promise<number | null> {
  if (parts.every(({ wanted }) => isCheap(wanted)) || rolledUp(parts)) return null
  const reading = await weighReading(db, matchingAny(parts), sql`price`)
  return isWithinBudget(reading, 'figures') ? null : rounded(reading.rows)
}

/** Two digits are all that an estimate is worth. */
function rounded(estimate: number): number {
  return Number(estimate.toPrecision(2))
}

/** Whether cells count a part, or a series has so few prices that counting them is no question. */
function isCheap(wanted: PartFilter): boolean {
  const { productIds, marketIds } = wanted
  if (productIds?.length === 1 && marketIds?.length === 1) return true
  return isOnCells(wanted) && !(productIds && marketIds)
}

/**
 * Whether rollups alone tell how many prices there are, and an index has them one after the other in the order of days:
 * of a currency or a collector it might have to pass over years of others.
 */
function isCountedByDay({ productIds, marketIds, startDate, endDate, ...others }: PartFilter): boolean {
  const isOfOne = (productIds ?? marketIds ?? []).length <= 1 && !(productIds && marketIds)
  return isOfOne && Object.values(others).every((restriction) => restriction === undefined)
}

async function countPrices(db: Db, wanted: PartFilter): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(n), 0)::bigint as total from ${sql.table(rollupOf(wanted))} where ${matching(wanted, 'day')}`.execute(
    db,
  )
  return rows[0]?.total ?? 0
}

async function countMatching(db: Db, parts: readonly SignedPart[]): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from price where ${matchingAny(parts)}`.execute(db)
  return rows[0]?.total ?? 0
}

/** Columns of all the prices that a condition holds for, in the order of a list. */
export function selectPrices<Row>(
  query: PriceOrder,
  condition: RawBuilder<boolean>,
  columns: RawBuilder<unknown>,
): RawBuilder<Row> {
  return sql<Row>`select ${columns} from price where ${condition} order by ${fullOrder(query)}`
}

/** What a query asks, in ids; no part when nothing can match. */
export async function findParts(db: Db, filter: PriceFilter): Promise<SignedPart[]> {
  return partsOf(filter, await findNamed(db, filter))
}

/** The same for figures: of several products they take goods only; wages, services and rates keep to their own series. */
export async function findPartsOfFigures(db: Db, filter: PriceFilter): Promise<SignedPart[]> {
  return partsOf(
    filter,
    await findNamed(db, filter, filter.productId === undefined || filter.kind === 'good'),
  )
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

async function findNamed(db: Db, filter: PriceFilter, goodsOnly = filter.kind === 'good'): Promise<Found> {
  const wanted: RawBuilder<unknown>[] = []
  if (goodsOnly) {
    wanted.push(sql`array(select product.id from product join product_type type on type.id = product.type_id
             where type.kind <> 'good') as others`)
  }
  const keys = priceFilterNames.flatMap((name) => {
    // Goods are asked for by themselves: where there is nothing else, that chooses nothing.
    const found = name === 'kind' && filter.kind === 'good' ? null : findKeys(name, filter)
    return found ? [sql`${sql.lit(name)}, array(${found})`] : []
  })
  if (keys.length > 0) wanted.push(sql`json_build_object(${sql.join(keys)}) as keys`)
  if (filter.search) {
    const words = wordsOfSearch(filter.search)
    wanted.push(sql`${words.length}::int as words`)
    wanted.push(sql`(${holding('product', wordsFound.search.product, words)}) as products`)
    wanted.push(sql`(${holding('market', wordsFound.search.market, words)}) as markets`)
  }
  if (wanted.length === 0) return {}
  const { rows } = await sql<Found>`select ${sql.join(wanted)}`.execute(db)
  return rows[0] ?? {}
}

/** The rows that hold some of the words, together with those that hold the same: bit n stands for the nth word. */
function holding(
  table: 'product' | 'market',
  folded: RawBuilder<string>,
  words: string[],
): RawBuilder<unknown> {
  const held = words.map((word) => containsWord(folded, word))
  const bits = held.map((isHeld, n) => sql`case when ${isHeld} then ${sql.lit(2 ** n)} else 0 end`)
  return sql`
    select coalesce(json_agg(json_build_object('words', words, 'ids', ids)), '[]') from (
      select words, array_agg(id) as ids
        from (select id, ${sql.join(bits, sql` + `)} as words from ${sql.table(table)}
               where ${sql.join(held, sql` or `)}) held
       group by words) together`
}

/** How many prices there are, how many of them on days before the page, and the first and last day of the page. */
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

/** Rows of (day, n) that add up to how many prices a part has on each day, with the sign of the part. */
export function dailyCounts({ wanted, sign }: SignedPart): RawBuilder<unknown> {
  const { otherProductIds: productIds, ...whole } = wanted
  if (!isOnCells(wanted) || (wanted.marketIds && wanted.productIds)) {
    return sql`select observed_on as day, ${sql.lit(sign)} * count(*) as n from price
                where ${matchingPrices(wanted)} group by 1`
  }
  if (productIds) {
    const others: SignedPart = { wanted: { ...whole, productIds }, sign: sign === 1 ? -1 : 1 }
    return sql`${dailyCounts({ wanted: whole, sign })} union all ${dailyCounts(others)}`
  }
  return sql`select day, ${sql.lit(sign)} * n as n from ${sql.table(rollupOf(wanted))}
              where n > 0 and ${matching(wanted, 'day')}`
}

/** The condition on a price that one of the parts holds it. */
export function matchingAny(parts: readonly SignedPart[]): RawBuilder<boolean> {
  const added = parts.filter(({ sign }) => sign > 0).map(({ wanted }) => sql`(${matchingPrices(wanted)})`)
  return sql`(${sql.join(added, sql` or `)})`
}

function matchingPrices(wanted: PartFilter): RawBuilder<boolean> {
  const { collectors } = wanted
  return allTrue([
    matching(wanted, 'observed_on'),
    collectors && sql`collector_name = any(${collectors}::text[])`,
    ...conditionsOnPrices(wanted),
  ])
}
