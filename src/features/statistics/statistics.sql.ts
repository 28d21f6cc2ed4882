import { type RawBuilder, sql } from 'kysely'
import { allTrue } from '#features/prices/rollups/rollups.sql.ts'
import type { Db } from '#server/db/pool.ts'

/** What chooses among the products of the catalogue. */
export type CatalogueQuery = {
  productId?: number | undefined
  categoryId?: number | undefined
  brandId?: number | undefined
}

type CatalogueFigures = Record<'products' | 'markets' | 'users', { total: number; added: number }> &
  Record<'categories' | 'brands' | 'productTypes', number>

/** What there is beside prices; `added` since the start of a period, in Kinshasa. */
export async function countCatalogue(
  db: Db,
  query: CatalogueQuery & { startDate?: string | undefined; marketId?: number | undefined },
): Promise<CatalogueFigures> {
  const since = query.startDate
    ? sql`created_at >= (${query.startDate}::date::timestamp at time zone 'Africa/Kinshasa')`
    : sql`false`
  const { productId, categoryId, brandId, marketId } = query
  const isWhole = productId === undefined && categoryId === undefined && brandId === undefined
  const both = sql`json_build_object('total', count(*), 'added', count(*) filter (where ${since}))`
  const ofProducts = (id: string, table: string) =>
    isWhole
      ? sql`(select count(*) from ${sql.table(table)})`
      : sql`(select count(distinct ${sql.ref(id)}) from chosen)`
  const { rows } = await sql<CatalogueFigures>`
    with chosen as (${chosenProducts(query)})
    select (select ${both} from chosen) as products,
           (select ${both} from market where ${marketId === undefined ? sql`true` : sql`id = ${marketId}::bigint`}) as markets,
           (select ${both} from app_user) as users,
           ${ofProducts('category_id', 'category')} as categories, ${ofProducts('brand_id', 'brand')} as brands,
           ${ofProducts('type_id', 'product_type')} as "productTypes"`.execute(db)
  const [figures] = rows
  if (!figures) throw new Error('an answer without a table has one row')
  return figures
}

/** Products of the catalogue, as far as product, category and brand choose. */
export function chosenProducts({ productId, categoryId, brandId }: CatalogueQuery): RawBuilder<unknown> {
  return sql`
    select product.id, product.brand_id, product.type_id, type.category_id, product.created_at
      from product join product_type type on type.id = product.type_id
     where ${allTrue([
       productId !== undefined && sql`product.id = ${productId}::bigint`,
       categoryId !== undefined && sql`type.category_id = ${categoryId}::bigint`,
       brandId !== undefined && sql`product.brand_id = ${brandId}::bigint`,
     ])}`
}

/** What the filters of a selection are called: in full, as many share a name; none by that id is unknown. */
export async function findNames(
  db: Db,
  { productId, categoryId, brandId, marketId }: CatalogueQuery & { marketId?: number | undefined },
): Promise<{ kind: string; name: string }[]> {
  const named = (
    id: number | undefined,
    table: string,
    [kind, unknown, name]: [string, string, RawBuilder<unknown>],
  ) =>
    id === undefined
      ? []
      : [
          sql`select ${kind}::text as kind,
                     coalesce((select ${name} from ${sql.table(table)} where id = ${id}::bigint), ${unknown}::text) as name`,
        ]
  const full = sql`concat_ws(' · ', name, weight, format)`
  const wanted = [
    ...named(productId, 'product', ['Produit', 'Produit inconnu', full]),
    ...named(categoryId, 'category', ['Catégorie', 'Catégorie inconnue', sql`name`]),
    ...named(brandId, 'brand', ['Marque', 'Marque inconnue', sql`name`]),
    ...named(marketId, 'market', ['Marché', 'Marché inconnu', sql`concat_ws(', ', name, location)`]),
  ]
  if (wanted.length === 0) return []
  const { rows } = await sql<{ kind: string; name: string }>`${sql.join(wanted, sql` union all `)}`.execute(
    db,
  )
  return rows
}
