import { type RawBuilder, sql } from 'kysely'
import { type PriceFilter, priceFilterNames } from '#features/figures/filters/filters.contract.ts'
import { conditionsOnPrices, findKeys, wordsFound } from '#features/figures/filters/filters.sql.ts'
import { isWithinBudget, weighReading } from '#features/figures/parts/budget.sql.ts'
import {
  type Found,
  isOnCells,
  type PartFilter,
  partsOf,
  rolledUp,
  type SignedPart,
} from '#features/figures/parts/parts.rules.ts'
import { allTrue, matching, rollupOf } from '#features/figures/rollups/rollups.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { containsWord, wordsOfSearch } from '#server/db/selection.ts'

/** How many prices parts have, estimated; null where cells tell, or where reading them is within the budget. */
export async function estimateBeyondBudget(db: Db, parts: readonly SignedPart[]): Promise<number | null> {
  if (parts.every(({ wanted }) => isCheap(wanted)) || rolledUp(parts)) return null
  const reading = await weighReading(db, matchingAny(parts), sql`price`)
  return isWithinBudget(reading, 'figures') ? null : rounded(reading.rows)
}

/** Two digits are all that an estimate is worth. */
export function rounded(estimate: number): number {
  return Number(estimate.toPrecision(2))
}

/** Whether cells count a part, or a series has so few prices that counting them is no question. */
export function isCheap(wanted: PartFilter): boolean {
  const { productIds, marketIds } = wanted
  if (productIds?.length === 1 && marketIds?.length === 1) return true
  return isOnCells(wanted) && !(productIds && marketIds)
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
