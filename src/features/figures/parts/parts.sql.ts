import { type RawBuilder, sql } from 'kysely'
import { type PriceFilter, priceFilterNames } from '#features/figures/filters/filters.contract.ts'
import { conditionsOnPrices, findKeys, wordsFound } from '#features/figures/filters/filters.sql.ts'
import { estimateReading, isWithinBudget } from '#features/figures/parts/budget.sql.ts'
import {
  asCellFilter,
  type Found,
  isOnCells,
  type PartFilter,
  partsOf,
  type SignedPart,
} from '#features/figures/parts/parts.rules.ts'
import { allTrue, matching, rollupOf } from '#features/figures/rollups/rollups.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { containsWord, wordsOfSearch } from '#server/db/selection.ts'

/**
 * Returns an estimate of the number of prices in parts; null where cells can answer, or where reading the prices is
 * within the budget.
 */
export async function estimateBeyondBudget(db: Db, parts: readonly SignedPart[]): Promise<number | null> {
  if (parts.every(({ wanted }) => isCheap(wanted)) || asCellFilter(parts)) return null
  const reading = await estimateReading(db, matchingAny(parts), sql`price`)
  return isWithinBudget(reading, 'figures') ? null : roundEstimate(reading.rows)
}

/** Rounds an estimate to two significant digits, its useful precision. */
export function roundEstimate(estimate: number): number {
  return Number(estimate.toPrecision(2))
}

/** Whether cells can count a part, or it is a single series, which has few enough prices to count. */
export function isCheap(wanted: PartFilter): boolean {
  const { productIds, marketIds } = wanted
  if (productIds?.length === 1 && marketIds?.length === 1) return true
  return isOnCells(wanted) && !(productIds && marketIds)
}

/** Resolves a query to parts, in ids; an empty list when nothing can match. */
export async function findParts(db: Db, filter: PriceFilter): Promise<SignedPart[]> {
  return partsOf(filter, await findNamed(db, filter))
}

/**
 * Does the same for figures: with several products only goods are kept; wages, services and rates are only shown as
 * single series.
 */
export async function findPartsOfFigures(db: Db, filter: PriceFilter): Promise<SignedPart[]> {
  return partsOf(
    filter,
    await findNamed(db, filter, filter.productId === undefined || filter.kind === 'good'),
  )
}

async function findNamed(db: Db, filter: PriceFilter, goodsOnly = filter.kind === 'good'): Promise<Found> {
  const wanted: RawBuilder<unknown>[] = []
  if (goodsOnly) {
    wanted.push(sql`array(select product.id from product join product_type type on type.id = product.type_id
             where type.kind <> 'good') as others`)
  }
  const keys = priceFilterNames.flatMap((name) => {
    // Goods are selected separately: where no other filter is set, this one restricts nothing.
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

/**
 * Builds the list of rows that contain some of the words, grouped by the set of words: bit n stands for the nth word.
 */
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

/** Builds rows of (day, n) that add up to the number of prices of a part on each day, with the sign of the part. */
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

/** Builds the condition that a price belongs to at least one of the parts. */
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
