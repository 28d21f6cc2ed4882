import { type RawBuilder, sql } from 'kysely'
import {
  type PriceFilter,
  type PriceFilterName,
  priceFilterNames,
  priceFilters,
} from '#features/figures/filters/filters.contract.ts'
import { conditionsOnId } from '#features/figures/filters/filters.sql.ts'
import { allTrue } from '#features/figures/rollups/rollups.sql.ts'
import { kindNames } from '#features/product-types/kinds.contract.ts'
import type { Db } from '#server/db/pool.ts'
import { addDays } from '#shared/days.ts'

type CatalogueFigures = Record<
  'products' | 'markets' | 'users',
  { total: number; before: number; added: number }
> &
  Record<'categories' | 'brands' | 'productTypes', number>

/**
 * Counts products, markets, users, categories, brands and types; `before` is until the start of a period, and `added`
 * during it, in days of Kinshasa.
 */
export async function countCatalogue(db: Db, filter: PriceFilter): Promise<CatalogueFigures> {
  const startOf = (day: string) => sql`(${day}::date::timestamp at time zone 'Africa/Kinshasa')`
  const { startDate, endDate } = filter
  const isBefore = startDate ? sql`created_at < ${startOf(startDate)}` : sql`true`
  const isAdded = endDate
    ? sql`not (${isBefore}) and created_at < ${startOf(addDays(endDate, 1))}`
    : sql`not (${isBefore})`
  const isWhole = !choosesProducts(filter)
  const chosenMarkets = conditionsOnId('market', filter, sql`id`)
  const counts = sql`
    json_build_object('total', count(*), 'before', count(*) filter (where ${isBefore}), 'added', count(*) filter (where ${isAdded}))`
  const ofProducts = (id: string, table: string) =>
    isWhole
      ? sql`(select count(*) from ${sql.table(table)})`
      : sql`(select count(distinct ${sql.ref(id)}) from chosen)`
  const { rows } = await sql<CatalogueFigures>`
    with chosen as (${chosenProducts(filter)})
    select (select ${counts} from chosen) as products,
           (select ${counts} from market where ${allTrue(chosenMarkets)}) as markets,
           (select ${counts} from app_user) as users,
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

type Named = Exclude<PriceFilterName, 'startDate' | 'endDate'>

const asWritten = (text: string) => sql<string>`${text}::text`
const amounts = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 2 })
const amountText = (amount: number) => asWritten(amounts.format(amount))

function nameIn(
  table: string,
  id: number,
  { name = sql`name`, unknown }: { name?: RawBuilder<unknown>; unknown: string },
): RawBuilder<string> {
  return sql`coalesce((select ${name} from ${sql.table(table)} where id = ${id}::bigint), ${unknown}::text)`
}

/** The words for the value of each filter; related rows by their full names, since names can be shared. */
const wordsOf: { [Name in Named]: (value: NonNullable<PriceFilter[Name]>) => RawBuilder<string> } = {
  search: asWritten,
  productId: (id) =>
    nameIn('product', id, { name: sql`concat_ws(' · ', name, weight, format)`, unknown: 'Produit inconnu' }),
  categoryId: (id) => nameIn('category', id, { unknown: 'Catégorie inconnue' }),
  typeId: (id) => nameIn('product_type', id, { unknown: 'Type inconnu' }),
  kind: (kind) => asWritten(kindNames[kind]),
  brandId: (id) => nameIn('brand', id, { unknown: 'Marque inconnue' }),
  marketId: (id) =>
    nameIn('market', id, { name: sql`concat_ws(', ', name, location)`, unknown: 'Marché inconnu' }),
  location: asWritten,
  province: asWritten,
  minPrice: amountText,
  maxPrice: amountText,
  currency: asWritten,
  collectorName: asWritten,
  collector: asWritten,
  // A public page must not name an account.
  writtenBy: (id) => asWritten(`le compte nº\u00a0${id}`),
}

/** Describes the active filters in French, without the days, which have a line of their own. */
export async function findNames(db: Db, filter: PriceFilter): Promise<string[]> {
  // Each function takes the value type of its own name; the compiler cannot track this through a variable name.
  const table = new Map(
    Object.entries(wordsOf) as [PriceFilterName, (value: unknown) => RawBuilder<string>][],
  )
  const active = priceFilterNames.flatMap((name) => {
    const [words, value] = [table.get(name), filter[name]]
    return words && value !== undefined ? [{ label: priceFilters[name].label, words: words(value) }] : []
  })
  if (active.length === 0) return []
  const { rows } = await sql<{ words: string[] }>`
    select array[${sql.join(active.map(({ words }) => words))}] as words`.execute(db)
  return active.map(({ label }, i) => `${label}\u00a0: ${rows[0]?.words[i]}`)
}
