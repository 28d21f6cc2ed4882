import { type RawBuilder, sql } from 'kysely'
import { isInProvince } from '#features/markets/markets.sql.ts'
import {
  type Asked,
  type Found,
  type PricesQuery,
  partsOf,
  type SignedPart,
  type Wanted,
  type WholeQuery,
} from '#features/prices/listing/listing.rules.ts'
import { type PriceRow, readPrices } from '#features/prices/prices.sql.ts'
import { allTrue, matching, rollupOf } from '#features/prices/rollups/rollups.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { contains, containsWord, offsetOf, wordsOfSearch } from '#server/db/selection.ts'

/**
 * A page of prices, and how many there are in all. Days are counted first, in rollups wherever these can tell; the page
 * is then read from the days it lies in, so that the last page costs what the first does.
 */
export async function listPrices(db: Db, query: PricesQuery): Promise<{ rows: PriceRow[]; total: number }> {
  const parts = await findParts(db, query)
  if (parts.length === 0) return { rows: [], total: 0 }
  const offset = offsetOf(query)
  const order = fullOrder(query)
  const [part] = parts
  if (part && parts.length === 1 && offset <= nearest && isCountedByDay(part.wanted)) {
    const total = await countPrices(db, part.wanted)
    if (offset >= total) return { rows: [], total }
    const near = sql`select id from price where ${matchingAny(parts)} order by ${order} limit ${query.limit} offset ${offset}`
    return { rows: await readPrices(db, near, order), total }
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

/**
 * Whether rollups alone tell how many prices there are, and an index has them one after the other in the order of days:
 * of a currency or a collector it might have to pass over years of others.
 */
function isCountedByDay({ productIds, marketIds, startDate, endDate, ...others }: Wanted): boolean {
  const isOfOne = (productIds ?? marketIds ?? []).length <= 1 && !(productIds && marketIds)
  return isOfOne && Object.values(others).every((restriction) => restriction === undefined)
}

async function countPrices(db: Db, wanted: Wanted): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(n), 0)::bigint as total from ${sql.table(rollupOf(wanted))} where ${matching(wanted, 'day')}`.execute(
    db,
  )
  return rows[0]?.total ?? 0
}

/** Columns of all the prices that a condition holds for, in the order of a list. */
export function selectPrices<Row>(
  query: WholeQuery,
  condition: RawBuilder<boolean>,
  columns: RawBuilder<unknown>,
): RawBuilder<Row> {
  return sql<Row>`select ${columns} from price where ${condition} order by ${fullOrder(query)}`
}

/** What a query asks, in ids; no part when nothing can match. */
export async function findParts(db: Db, query: Asked): Promise<SignedPart[]> {
  return partsOf(query, await findNamed(db, query))
}

/** The same for figures: of several products they take goods only; wages, services and rates keep to their own series. */
export async function findPartsOfFigures(db: Db, query: Asked): Promise<SignedPart[]> {
  return partsOf(query, await findNamed(db, query, query.productId === undefined || query.kind === 'good'))
}

function fullOrder(query: WholeQuery): RawBuilder<unknown> {
  const { column, direction } = orderOf(query)
  const byHour = column === 'observed_on' ? sql`price.collected_at ${direction},` : sql``
  return sql`${sql.ref(`price.${column}`)} ${direction}, ${byHour} price.id ${direction}`
}

function orderOf({ sort = '-observedOn' }: WholeQuery) {
  return {
    column: sort.endsWith('priceValue') ? 'price_value' : 'observed_on',
    direction: sort.startsWith('-') ? sql`desc` : sql`asc`,
  } as const
}

async function findNamed(db: Db, asked: Asked, goodsOnly = asked.kind === 'good'): Promise<Found> {
  const { categoryId, typeId, brandId, collectorName, location, province, search } = asked
  // Goods are asked for by themselves: where there is nothing else, that chooses nothing.
  const kind = asked.kind === 'good' ? undefined : asked.kind
  const wanted: RawBuilder<unknown>[] = []
  if (goodsOnly) {
    wanted.push(sql`array(select product.id from product join product_type type on type.id = product.type_id
             where type.kind <> 'good') as others`)
  }
  if (location) {
    wanted.push(sql`array(select id from market where fold(location) = fold(${location})) as "inLocation"`)
  }
  if (province) {
    wanted.push(sql`array(select id from market where ${isInProvince(province)}) as "inProvince"`)
  }
  if (categoryId !== undefined || typeId !== undefined || kind !== undefined) {
    wanted.push(sql`array(select product.id from product join product_type type on type.id = product.type_id
      where ${allTrue([
        categoryId !== undefined && sql`type.category_id = ${categoryId}::bigint`,
        typeId !== undefined && sql`type.id = ${typeId}::bigint`,
        kind !== undefined && sql`type.kind = ${kind}`,
      ])}) as "ofShelf"`)
  }
  if (brandId !== undefined) {
    wanted.push(sql`array(select id from product where brand_id = ${brandId}::bigint) as "ofBrand"`)
  }
  if (search) {
    const words = wordsOfSearch(search)
    wanted.push(sql`${words.length}::int as words`)
    wanted.push(sql`(${holding('product', sql`folded`, words)}) as products`)
    wanted.push(sql`(${holding('market', sql`fold(name || ' ' || location)`, words)}) as markets`)
  }
  if (collectorName) {
    wanted.push(
      sql`array(select name from collector where ${contains(sql`fold(name)`, collectorName)}) as collectors`,
    )
  }
  if (wanted.length === 0) return {}
  // Jumps from one name to the next in the index, instead of reading every price.
  const { rows } = await sql<Found>`
    with recursive collector as (
      (select collector_name as name from price order by 1 limit 1)
      union all
      select (select collector_name from price where collector_name > collector.name order by 1 limit 1)
        from collector where collector.name is not null)
    select ${sql.join(wanted)}`.execute(db)
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

async function locatePage(db: Db, parts: SignedPart[], query: PricesQuery): Promise<Place> {
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
  const { productIds, marketIds, otherProductIds, collectors, writtenBy, minPrice, maxPrice } = wanted
  const isBounded = minPrice !== undefined || maxPrice !== undefined
  const isOfSome = collectors !== undefined || writtenBy !== undefined
  if (isOfSome || (marketIds && (productIds || (otherProductIds && isBounded)))) {
    return sql`select observed_on as day, ${sql.lit(sign)} * count(*) as n from price
                where ${matchingPrices(wanted)} group by 1`
  }
  if (isBounded) return boundedCounts(wanted, sign)
  if (otherProductIds) {
    const { otherProductIds: productIds, ...whole } = wanted
    const others: SignedPart = { wanted: { ...whole, productIds }, sign: sign === 1 ? -1 : 1 }
    return sql`${dailyCounts({ wanted: whole, sign })} union all ${dailyCounts(others)}`
  }
  return sql`select day, ${sql.lit(sign)} * n as n from ${sql.table(rollupOf(wanted))}
              where n > 0 and ${matching(wanted, 'day')}`
}

/** A cell tells its lowest and highest price: only one that a bound cuts through is counted price by price. */
function boundedCounts(wanted: Wanted, sign: 1 | -1): RawBuilder<unknown> {
  const { minPrice, maxPrice } = wanted
  const [table, key] = wanted.marketIds
    ? (['price_day_market', 'market_id'] as const)
    : (['price_day_product', 'product_id'] as const)
  const isInside = allTrue([
    minPrice !== undefined && sql`lowest >= ${minPrice}`,
    maxPrice !== undefined && sql`highest <= ${maxPrice}`,
  ])
  const isTouched = allTrue([
    minPrice !== undefined && sql`highest >= ${minPrice}`,
    maxPrice !== undefined && sql`lowest <= ${maxPrice}`,
  ])
  return sql`
    select day, ${sql.lit(sign)} * case when ${isInside} then n else (
             select count(*) from price
              where ${sql.ref(`price.${key}`)} = ${sql.ref(`cell.${key}`)} and price.observed_on = cell.day
                and price.currency = cell.currency and price.lane = cell.lane and ${within(wanted)}) end as n
      from ${sql.table(table)} cell where n > 0 and ${isTouched} and ${matching(wanted, 'day')}`
}

/** The condition on a price that one of the parts holds it. */
export function matchingAny(parts: readonly SignedPart[]): RawBuilder<boolean> {
  const added = parts.filter(({ sign }) => sign > 0).map(({ wanted }) => sql`(${matchingPrices(wanted)})`)
  return sql`(${sql.join(added, sql` or `)})`
}

function matchingPrices(wanted: Wanted): RawBuilder<boolean> {
  const { collectors, writtenBy } = wanted
  return allTrue([
    matching(wanted, 'observed_on'),
    collectors && sql`collector_name = any(${collectors}::text[])`,
    // An id asked for may be larger than any that exists.
    writtenBy !== undefined && sql`written_by = ${writtenBy}::bigint`,
    within(wanted),
  ])
}

function within({ minPrice, maxPrice }: Wanted): RawBuilder<boolean> {
  return allTrue([
    minPrice !== undefined && sql`price_value >= ${minPrice}`,
    maxPrice !== undefined && sql`price_value <= ${maxPrice}`,
  ])
}
