import { z } from 'zod'
import { productKinds } from '#features/product-types/kinds.contract.ts'
import { amountFilter, currency, dayFilter, idFilter, optionalQuery, searchText } from '#shared/fields.ts'

/**
 * What a filter selects on, which decides what can answer it. Rollup cells hold days and currencies (`cells`), products
 * and markets. A `product` or `market` filter is the id itself; for `products` or `markets` the ids are looked up
 * first; `words` are looked up in both. Only the raw prices can answer a `collector` (exact name), `collectors` (names
 * to look up) and everything else (`prices`).
 */
type Chosen =
  | 'words'
  | 'product'
  | 'products'
  | 'market'
  | 'markets'
  | 'cells'
  | 'collector'
  | 'collectors'
  | 'prices'

type Declared = { schema: z.ZodType; label: string; chooses: Chosen }

/**
 * Every filter of prices: its schema, its name on screen, and what it selects on. Its SQL is in `filters.sql.ts`, its
 * control and chip in `ui/price-filters.tsx`: a filter that lacks either does not compile.
 */
export const priceFilters = {
  /** Words contained in the product's name or code, or in the market's name or location. */
  search: { schema: searchText, label: 'Recherche', chooses: 'words' },
  productId: { schema: idFilter, label: 'Produit', chooses: 'product' },
  categoryId: { schema: idFilter, label: 'Catégorie', chooses: 'products' },
  typeId: { schema: idFilter, label: 'Type', chooses: 'products' },
  /** Figures of several products use goods only. */
  kind: {
    schema: optionalQuery(z.enum(productKinds, 'La nature est good, service, wage ou rate')),
    label: 'Nature',
    chooses: 'products',
  },
  brandId: { schema: idFilter, label: 'Marque', chooses: 'products' },
  marketId: { schema: idFilter, label: 'Marché', chooses: 'market' },
  /** The markets of a city, compared with their location without case or accents. */
  location: { schema: searchText, label: 'Ville', chooses: 'markets' },
  /** The markets of a province, compared without regard to the spelling on either side. */
  province: { schema: searchText, label: 'Province', chooses: 'markets' },
  /** Bounds on the price in its own currency, as shown: combine them with `currency`. */
  minPrice: { schema: amountFilter, label: 'Prix minimum', chooses: 'prices' },
  maxPrice: { schema: amountFilter, label: 'Prix maximum', chooses: 'prices' },
  currency: { schema: optionalQuery(currency), label: 'Devise', chooses: 'cells' },
  /** Letters contained in a collector’s name. */
  collectorName: { schema: searchText, label: 'Collecteur', chooses: 'collectors' },
  /** The exact name of a collector, as stored with prices. */
  collector: { schema: searchText, label: 'Collecteur', chooses: 'collector' },
  /** The id of the account that entered the price: several accounts may share a name, and a name may change. */
  writtenBy: { schema: idFilter, label: 'Saisi par', chooses: 'prices' },
  /** Local days, both inclusive. */
  startDate: { schema: dayFilter, label: 'Depuis le', chooses: 'cells' },
  endDate: { schema: dayFilter, label: 'Jusqu’au', chooses: 'cells' },
} as const satisfies Record<string, Declared>

type Filters = typeof priceFilters
export type PriceFilterName = keyof Filters
/** The names of the filters that select on one of these. */
export type NamesOf<By extends Chosen> = {
  [Name in PriceFilterName]: Filters[Name]['chooses'] extends By ? Name : never
}[PriceFilterName]

/** The filter names with their schemas only, to build query schemas from. */
// `fromEntries` loses the schema of each name.
export const priceFilterShape = Object.fromEntries(
  Object.entries(priceFilters).map(([name, { schema }]) => [name, schema]),
) as { [Name in PriceFilterName]: Filters[Name]['schema'] }

/** All filters of prices as query parameters. Does not check that the days are in order. */
export const priceFilter = z.object(priceFilterShape)
/** The parsed filter of prices: the selection that a list, its figures and its files are about. */
export type PriceFilter = z.output<typeof priceFilter>

// `keys` loses the type of the names.
export const priceFilterNames = Object.keys(priceFilters) as PriceFilterName[]

/** All filters but the days, for endpoints that define their own weeks. */
export const undatedFilter = priceFilter.omit({ startDate: true, endDate: true })

const seriesChoosers = ['words', 'product', 'products', 'market', 'markets'] as const
type SeriesFilterName = NamesOf<(typeof seriesChoosers)[number]>

/** The filters that select whole series, by product or by market: the only ones that alerts accept. */
export const seriesFilter = z.object(ofSeries(priceFilterShape))
export type SeriesFilter = z.output<typeof seriesFilter>

/** Picks, from an object keyed by filter, the properties of the filters of series. */
export function ofSeries<All extends { [Name in SeriesFilterName]?: unknown }>(
  all: All,
): Pick<All, SeriesFilterName> {
  const names = priceFilterNames.filter((name) =>
    seriesChoosers.some((by) => by === priceFilters[name].chooses),
  ) as SeriesFilterName[]
  // `fromEntries` loses the type of the remaining names.
  return Object.fromEntries(names.map((name) => [name, all[name]])) as Pick<All, SeriesFilterName>
}
