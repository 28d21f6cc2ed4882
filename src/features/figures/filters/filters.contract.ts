import { z } from 'zod'
import { productKinds } from '#features/product-types/kinds.contract.ts'
import { amountFilter, currency, dayFilter, idFilter, optionalQuery, searchText } from '#shared/fields.ts'

/**
 * What a filter chooses by, which says what can answer it. Cells of rollups hold days and a currency (`cells`), products and
 * markets: a filter by `product` or `market` is the id itself, one by `products` or `markets` finds their ids first, `words`
 * are found in either. Only the prices themselves know a `collector` by name, `collectors` to be found, and all else (`prices`).
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
 * Every filter of prices: how it is read, its name on screen, what it chooses by. Its SQL is in `filters.sql.ts`, its control
 * and chip in `ui/price-filters.tsx`: a filter that lacks either does not compile.
 */
export const priceFilters = {
  /** Letters of the product's name or code, or of the market's name or location. */
  search: { schema: searchText, label: 'Recherche', chooses: 'words' },
  productId: { schema: idFilter, label: 'Produit', chooses: 'product' },
  categoryId: { schema: idFilter, label: 'Catégorie', chooses: 'products' },
  typeId: { schema: idFilter, label: 'Type', chooses: 'products' },
  /** Goods alone are what figures of several products rest on. */
  kind: {
    schema: optionalQuery(z.enum(productKinds, 'La nature est good, service, wage ou rate')),
    label: 'Nature',
    chooses: 'products',
  },
  brandId: { schema: idFilter, label: 'Marque', chooses: 'products' },
  marketId: { schema: idFilter, label: 'Marché', chooses: 'market' },
  /** The markets of a city, as they write their location, without regard to case or accents. */
  location: { schema: searchText, label: 'Ville', chooses: 'markets' },
  /** The markets of a province, however it is written there and here. */
  province: { schema: searchText, label: 'Province', chooses: 'markets' },
  /** Bounds compare the price in its own currency, as it is shown: combine them with `currency`. */
  minPrice: { schema: amountFilter, label: 'Prix minimum', chooses: 'prices' },
  maxPrice: { schema: amountFilter, label: 'Prix maximum', chooses: 'prices' },
  currency: { schema: optionalQuery(currency), label: 'Devise', chooses: 'cells' },
  /** Letters of a collector’s name. */
  collectorName: { schema: searchText, label: 'Collecteur', chooses: 'collectors' },
  /** The whole name of a collector, as prices write it. */
  collector: { schema: searchText, label: 'Collecteur', chooses: 'collector' },
  /** Whose account entered it, by its id: a name may be that of several, and change. */
  writtenBy: { schema: idFilter, label: 'Saisi par', chooses: 'prices' },
  /** Local days, both inclusive. */
  startDate: { schema: dayFilter, label: 'Depuis le', chooses: 'cells' },
  endDate: { schema: dayFilter, label: 'Jusqu’au', chooses: 'cells' },
} as const satisfies Record<string, Declared>

type Filters = typeof priceFilters
export type PriceFilterName = keyof Filters
/** The filters that choose by one of these. */
export type NamesOf<By extends Chosen> = {
  [Name in PriceFilterName]: Filters[Name]['chooses'] extends By ? Name : never
}[PriceFilterName]

/** The same names with their schemas alone, to make a query of. */
// `fromEntries` forgets which name has which schema.
export const priceFilterShape = Object.fromEntries(
  Object.entries(priceFilters).map(([name, { schema }]) => [name, schema]),
) as { [Name in PriceFilterName]: Filters[Name]['schema'] }

/** All filters of prices, as a query asks them. Days are not yet in order. */
export const priceFilter = z.object(priceFilterShape)
/** Which prices are asked for: what a list, its figures and its files are about. */
export type PriceFilter = z.output<typeof priceFilter>

// `keys` forgets them too.
export const priceFilterNames = Object.keys(priceFilters) as PriceFilterName[]

/** All filters but the days, for what goes by weeks of its own. */
export const undatedFilter = priceFilter.omit({ startDate: true, endDate: true })

const seriesChoosers = ['words', 'product', 'products', 'market', 'markets'] as const
type SeriesFilterName = NamesOf<(typeof seriesChoosers)[number]>

/** The filters that choose whole series, by their product or their market: alerts follow them alone. */
export const seriesFilter = z.object(ofSeries(priceFilterShape))
export type SeriesFilter = z.output<typeof seriesFilter>

/** Of something that every filter has, what the filters of series have. */
export function ofSeries<All extends { [Name in SeriesFilterName]?: unknown }>(
  all: All,
): Pick<All, SeriesFilterName> {
  const names = priceFilterNames.filter((name) =>
    seriesChoosers.some((by) => by === priceFilters[name].chooses),
  ) as SeriesFilterName[]
  // `fromEntries` forgets which names are left.
  return Object.fromEntries(names.map((name) => [name, all[name]])) as Pick<All, SeriesFilterName>
}
