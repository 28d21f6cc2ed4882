import { type RawBuilder, sql } from 'kysely'
import {
  type PriceFilter,
  type PriceFilterName,
  priceFilterNames,
  priceFilters,
} from '#features/figures/filters/filters.contract.ts'
import { conditionsOnId } from '#features/figures/filters/filters.sql.ts'
import { allTrue } from '#features/figures/rollups/rollups.sql.ts'
import type { Db } from '#server/db/pool.ts'

type CatalogueFigures = Record<'products' | 'markets' | 'users', { total: number; added: number }> &
  Record<'categories' | 'brands' | 'productTypes', number>

/**
 * Counts products, markets, users, categories, brands and types; `added` is since the start of a period, in Kinshasa.
 */
export async function countCatalogue(db: Db, filter: PriceFilter): Promise<CatalogueFigures> {
  const since = filter.startDate
    ? sql`created_at >= (${filter.startDate}::date::timestamp at time zone 'Africa/Kinshasa')`
    : sql`false`
  const isWhole = !choosesProducts(filter)
  const chosenMarkets = conditionsOnId('market', filter, sql`id`)
  const both = sql`json_build_object('total', count(*), 'added', count(*) filter (where ${since}))`
  const ofProducts = (id: string, table: string) =>
    isWhole
      ? sql`(select count(*) from ${sql.table(table)})`
      : sql`(select count(distinct ${sql.ref(id)}) from chosen)`
  const { rows } = await sql<CatalogueFigures>`
    with chosen as (${chosenProducts(filter)})
    select (select ${both} from chosen) as products,
           (select ${both} from market where ${allTrue(chosenMarkets)}) as markets,
           (select ${both} from app_user) as users,
           ${ofProducts('category_id', 'category')} as categories, ${ofProducts('brand_id', 'brand')} as brands,
           ${ofProducts('type_id', 'product_type')} as "productTypes"`.execute(db)
  const [figures] = rows
  if (!figures) throw new Error('an answer without a table has one row')
  return figures
}

/** Whether a filter selects products of the catalogue. */
export function choosesProducts(filter: PriceFilter): boolean {
  return conditionsOnId('product', filter, sql`product.id`).length > 0
}

/** Builds the query of the products of the catalogue that match the filters. */
export function chosenProducts(filter: PriceFilter): RawBuilder<unknown> {
  return sql`
    select product.id, product.brand_id, product.type_id, type.category_id, product.created_at
      from product join product_type type on type.id = product.type_id
     where ${allTrue(conditionsOnId('product', filter, sql`product.id`))}`
}

/** Describes the active filters in French; related rows by their full names, since names can be shared. */
export async function findNames(db: Db, filter: PriceFilter): Promise<string[]> {
  const { productId, categoryId, brandId, marketId } = filter
  const named = (
    id: number | undefined,
    table: string,
    [kind, unknown, name]: [PriceFilterName, string, RawBuilder<unknown>],
  ) =>
    id === undefined
      ? []
      : [
          sql`select ${kind}::text as kind,
                     coalesce((select ${name} from ${sql.table(table)} where id = ${id}::bigint), ${unknown}::text) as name`,
        ]
  const full = sql`concat_ws(' · ', name, weight, format)`
  const wanted = [
    ...named(productId, 'product', ['productId', 'Produit inconnu', full]),
    ...named(categoryId, 'category', ['categoryId', 'Catégorie inconnue', sql`name`]),
    ...named(brandId, 'brand', ['brandId', 'Marque inconnue', sql`name`]),
    ...named(marketId, 'market', ['marketId', 'Marché inconnu', sql`concat_ws(', ', name, location)`]),
  ]
  const { rows } =
    wanted.length === 0
      ? { rows: [] }
      : await sql<{ kind: PriceFilterName; name: string }>`${sql.join(wanted, sql` union all `)}`.execute(db)
  const nameOf = new Map(rows.map(({ kind, name }) => [kind, name]))
  return priceFilterNames.flatMap((name) => {
    // The days have a line of their own.
    if (filter[name] === undefined || name === 'startDate' || name === 'endDate') return []
    return [`${priceFilters[name].label}\u00a0: ${nameOf.get(name) ?? filter[name]}`]
  })
}
