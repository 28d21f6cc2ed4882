import { type RawBuilder, sql } from 'kysely'
import {
  type NamesOf,
  type PriceFilter,
  type PriceFilterName,
  priceFilterNames,
  priceFilters,
  type SeriesFilter,
} from '#features/figures/filters/filters.contract.ts'
import { isInProvince } from '#features/markets/markets.sql.ts'
import { contains, containsWord, wordsOfSearch } from '#server/db/selection.ts'

type ValueOf<Name extends PriceFilterName> = NonNullable<PriceFilter[Name]>
type Found = NamesOf<'products' | 'markets' | 'collectors'>

/**
 * Builds a common table expression, to follow `with`: the distinct names of collectors, then a null. It skips from one
 * name to the next in the index instead of reading every price.
 */
export const everyCollector = sql`recursive collector as (
      (select collector_name as name from price order by 1 limit 1)
      union all
      select (select collector_name from price where collector_name > collector.name order by 1 limit 1)
        from collector where collector.name is not null)`

/** The keys that match a filter, as a query of one column: ids of products or markets, names of collectors. */
const keysFound: { [Name in Found]: (value: ValueOf<Name>) => RawBuilder<unknown> } = {
  categoryId: (id) => productsOf(sql`type.category_id = ${id}::bigint`),
  typeId: (id) => productsOf(sql`type.id = ${id}::bigint`),
  kind: (kind) => productsOf(sql`type.kind = ${kind}`),
  brandId: (id) => sql`select id from product where brand_id = ${id}::bigint`,
  location: (location) => sql`select id from market where fold(location) = fold(${location})`,
  province: (province) => sql`select id from market where ${isInProvince(province)}`,
  collectorName: (letters) => sql`
    with ${everyCollector}
    select name from collector where ${contains(sql`fold(name)`, letters)}`,
}

/** The expressions in which the words of a search are looked up: identical to those of the trigram indexes. */
export const wordsFound: Record<NamesOf<'words'>, Record<'product' | 'market', RawBuilder<string>>> = {
  search: { product: sql`folded`, market: sql`fold(name || ' ' || location)` },
}

/** The columns shared by cells and prices; only the name of the day column differs. */
type CellColumns = { day: RawBuilder<unknown> }

const onCells: {
  [Name in NamesOf<'cells'>]: (value: ValueOf<Name>, columns: CellColumns) => RawBuilder<boolean>
} = {
  currency: (currency) => sql`currency = ${currency}`,
  startDate: (start, { day }) => sql`${day} >= ${start}::date`,
  endDate: (end, { day }) => sql`${day} <= ${end}::date`,
}

const onPrices: { [Name in NamesOf<'prices'>]: (value: ValueOf<Name>) => RawBuilder<boolean> } = {
  minPrice: (amount) => sql`price_value >= ${amount}`,
  maxPrice: (amount) => sql`price_value <= ${amount}`,
  // A requested id may exceed the range of the column type.
  writtenBy: (id) => sql`written_by = ${id}::bigint`,
}

/** Builds the conditions of the filters on columns that cells and prices share. */
export function conditionsOnCells(
  filter: Partial<Pick<PriceFilter, NamesOf<'cells'>>>,
  columns: CellColumns,
): RawBuilder<boolean>[] {
  return conditionsOf(onCells, filter, columns)
}

/** Builds the conditions of the filters that only raw prices can answer. */
export function conditionsOnPrices(
  filter: Partial<Pick<PriceFilter, NamesOf<'prices'>>>,
): RawBuilder<boolean>[] {
  return conditionsOf(onPrices, filter)
}

/** Builds the conditions on a product id, or a market id, from all filters that select on it. */
export function conditionsOnId(
  by: 'product' | 'market',
  filter: PriceFilter,
  id: RawBuilder<unknown>,
): RawBuilder<boolean>[] {
  return priceFilterNames.flatMap((name) => {
    const value = filter[name]
    const { chooses } = priceFilters[name]
    if (value === undefined) return []
    if (chooses === by) return [sql<boolean>`${id} = ${value}::bigint`]
    return chooses === `${by}s` ? [sql<boolean>`${id} in (${findKeys(name, filter)})`] : []
  })
}

/** Builds the conditions on a series, given its product and market ids, from all filters that select on either. */
export function conditionsOnSeries(
  filter: SeriesFilter,
  { product, market }: Record<'product' | 'market', RawBuilder<unknown>>,
): RawBuilder<boolean>[] {
  const searched = Object.entries(wordsFound).flatMap(([name, folded]) => {
    const letters = filter[name as NamesOf<'words'>]
    if (letters === undefined) return []
    return wordsOfSearch(letters).map(
      (word) => sql<boolean>`
        (${product} in (select id from product where ${containsWord(folded.product, word)})
         or ${market} in (select id from market where ${containsWord(folded.market, word)}))`,
    )
  })
  return [
    ...conditionsOnId('product', filter, product),
    ...conditionsOnId('market', filter, market),
    ...searched,
  ]
}

/** Builds the query of the keys that match a filter; null for a filter that looks nothing up, or that is not set. */
export function findKeys(name: PriceFilterName, filter: PriceFilter): RawBuilder<unknown> | null {
  // Each function takes the value type of its own name; the compiler cannot track this through a variable name.
  const find = (keysFound as Record<string, undefined | ((value: unknown) => RawBuilder<unknown>)>)[name]
  const value = filter[name]
  return find && value !== undefined ? find(value) : null
}

function conditionsOf(table: object, filter: object, columns?: CellColumns): RawBuilder<boolean>[] {
  const values = new Map<string, unknown>(Object.entries(filter))
  return Object.entries(table).flatMap(([name, condition]) => {
    const value = values.get(name)
    return value === undefined ? [] : [condition(value, columns)]
  })
}

function productsOf(condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select product.id from product join product_type type on type.id = product.type_id where ${condition}`
}
