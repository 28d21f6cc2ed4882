import { type RawBuilder, sql } from 'kysely'
import { countsBy } from '#features/figures/activity/activity.sql.ts'
import type { PriceFilter } from '#features/figures/filters/filters.contract.ts'
import { choosesProducts, chosenProducts } from '#features/statistics/statistics.sql.ts'
import type { Db } from '#server/db/pool.ts'

/** Null where there are too many prices to count. */
type Parts = Parameters<typeof countsBy>[1] | null

/** A category or a brand: its number of products, of products with prices in a selection, and of prices. */
type Shelf = { id: number; name: string; count: number; monitored: number | null; prices: number | null }

const mostCategories = 200

/** Returns every category, or the chosen one. */
export function listCategoryShelves(db: Db, filter: PriceFilter, parts: Parts): Promise<Shelf[]> {
  const isChosen = choosesProducts(filter)
  return listShelves(db, {
    parts,
    filled: filledBy(sql`category_id`, filter, parts),
    from: sql`category shelf ${isChosen ? sql`join` : sql`left join`}`,
    extra: sql``,
    limit: mostCategories,
  })
}

type BrandShelf = Shelf & { country: string }

/**
 * Returns the brands that have products, most products first; with the number of products of the remaining brands, and
 * without a brand.
 */
export async function rankBrands(
  db: Db,
  filter: PriceFilter & { limit: number },
  parts: Parts,
): Promise<{ data: BrandShelf[]; others: number; unbranded: number }> {
  const data = await listShelves<BrandShelf>(db, {
    parts,
    filled: filledBy(sql`brand_id`, filter, parts),
    from: sql`brand shelf join`,
    extra: sql`shelf.country,`,
    limit: filter.limit,
  })
  const { rows } = await sql<{ branded: number; unbranded: number }>`
    select count(brand_id) as branded, count(*) - count(brand_id) as unbranded from (${chosenProducts(filter)}) chosen`.execute(
    db,
  )
  const { branded = 0, unbranded = 0 } = rows[0] ?? {}
  return { data, others: branded - data.reduce((sum, { count }) => sum + count, 0), unbranded }
}

function filledBy(key: RawBuilder<unknown>, filter: PriceFilter, parts: Parts): RawBuilder<unknown> {
  return sql`
    with counted as (${countsBy('product_id', parts ?? [])})
    select ${key} as id, count(*) as count, count(counted.id) as monitored,
           coalesce(sum(counted.n), 0)::bigint as prices
      from (${chosenProducts(filter)}) chosen left join counted on counted.id = chosen.id group by 1`
}

async function listShelves<Row extends Shelf>(
  db: Db,
  {
    parts,
    filled,
    from,
    extra,
    limit,
  }: Record<'filled' | 'from' | 'extra', RawBuilder<unknown>> & { parts: Parts; limit: number },
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select shelf.id, shelf.name, ${extra} coalesce(filled.count, 0) as count,
           coalesce(filled.monitored, 0) as monitored, coalesce(filled.prices, 0) as prices
      from ${from} (${filled}) filled on filled.id = shelf.id
     order by coalesce(filled.count, 0) desc, coalesce(filled.prices, 0) desc, shelf.name collate "fr-x-icu", shelf.id
     limit ${limit}`.execute(db)
  return parts ? rows : rows.map((row) => ({ ...row, monitored: null, prices: null }))
}
