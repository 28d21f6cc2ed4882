import {
  type NamesOf,
  type PriceFilter,
  type PriceFilterName,
  priceFilterNames,
  priceFilters,
} from '#features/figures/filters/filters.contract.ts'
import type { CellFilter } from '#features/figures/rollups/rollups.rules.ts'

type OnlyOnPrices = Pick<PriceFilter, NamesOf<'prices'>> & {
  /** Exact names, as stored with prices. */
  collectors?: readonly string[] | undefined
}

/** A filter resolved to ids: the part that cells can answer, and the part that only raw prices can. */
export type PartFilter = CellFilter & Partial<OnlyOnPrices>

/** A set of prices to add, or to subtract because two other parts both contain it. */
export type SignedPart = { wanted: PartFilter; sign: 1 | -1 }

/** Rows that contain the same words of a search: bit n of `words` stands for the nth word. */
type Holding = { words: number; ids: readonly number[] }

/** What the names and words of a filter resolve to; a property is undefined where the filter is not set. */
export type Found = {
  /** Keys by the name of the filter that found them. */
  keys?: Partial<Record<PriceFilterName, readonly (number | string)[] | null>>
  /** Products that are not goods, where only goods are wanted. */
  others?: readonly number[] | undefined
  /** The number of words of a search, and which of them each product and market contains. */
  words?: number | undefined
  products?: readonly Holding[] | undefined
  markets?: readonly Holding[] | undefined
}

/**
 * Resolves a list query to ids. Each word of a search must be found in the product or in the market, so the parts are:
 * the prices of the markets that contain all words, plus those of the products that do, minus those counted twice,
 * plus, for products that contain some of the words, their prices in the markets that contain the others. An empty list
 * means that nothing can match.
 */
export function partsOf(filter: PriceFilter, found: Found): SignedPart[] {
  const others = found.others ?? []
  const chosen = keysOf('product', filter, found)
  const wanted: PartFilter = {
    ...plainOf(filter),
    productIds: chosen?.filter((id) => !others.includes(id)),
    otherProductIds: chosen || others.length === 0 ? undefined : others,
    marketIds: keysOf('market', filter, found),
    collectors: keysOf('collector', filter, found),
  }
  const parts = found.words ? searchedParts(wanted, found, found.words) : [{ wanted, sign: 1 as const }]
  return parts.filter(canMatch)
}

type Keys = { product: readonly number[]; market: readonly number[]; collector: readonly string[] }

/** Intersects the keys of all filters of a kind, given or looked up; undefined where none of these filters is set. */
function keysOf<By extends keyof Keys>(
  by: By,
  filter: PriceFilter,
  { keys = {} }: Found,
): Keys[By] | undefined {
  const left = priceFilterNames.reduce<readonly (number | string)[] | undefined>((left, name) => {
    const { chooses } = priceFilters[name]
    const value = filter[name]
    if (chooses === by && value !== undefined) return both(left, [value])
    return chooses === `${by}s` ? both(left, keys[name] ?? undefined) : left
  }, undefined)
  // Ids for filters on products or markets, names for filters on collectors.
  return left as Keys[By] | undefined
}

/** Picks the filters that translate directly to conditions. */
function plainOf(filter: PriceFilter): Pick<PriceFilter, NamesOf<'cells' | 'prices'>> {
  const plain = priceFilterNames.filter((name) => ['cells', 'prices'].includes(priceFilters[name].chooses))
  // `fromEntries` loses the type of the names.
  return Object.fromEntries(plain.map((name) => [name, filter[name]])) as ReturnType<typeof plainOf>
}

function searchedParts(
  wanted: PartFilter,
  { products = [], markets = [] }: Found,
  count: number,
): SignedPart[] {
  const all = 2 ** count - 1
  const whole = markets.filter(({ words }) => words === all).flatMap(({ ids }) => ids)
  const inWhole = both(wanted.marketIds, whole)
  const parts: SignedPart[] = [{ wanted: { ...wanted, marketIds: inWhole }, sign: 1 }]
  const { otherProductIds: others = [], ...chosen } = wanted
  for (const { words, ids } of products) {
    const productIds = both(wanted.productIds, ids)?.filter((id) => !others.includes(id))
    if (words === all) {
      parts.push({ wanted: { ...chosen, productIds }, sign: 1 })
      parts.push({ wanted: { ...chosen, productIds, marketIds: inWhole }, sign: -1 })
    } else {
      const complements = markets.filter((market) => market.words !== all && (market.words | words) === all)
      const marketIds = both(
        wanted.marketIds,
        complements.flatMap((market) => market.ids),
      )
      parts.push({ wanted: { ...chosen, productIds, marketIds }, sign: 1 })
    }
  }
  return parts
}

/** Returns the only part if cells can answer it; null where raw prices are needed. */
export function asCellFilter(parts: readonly SignedPart[]): CellFilter | null {
  const [part] = parts
  return parts.length === 1 && part && isOnCells(part.wanted) ? part.wanted : null
}

/** Whether cells hold everything that a part filters on. */
export function isOnCells({ collectors, ...wanted }: PartFilter): boolean {
  return collectors === undefined && onPrices.every((name) => wanted[name] === undefined)
}

const onPrices = priceFilterNames.filter(
  (name): name is NamesOf<'prices'> => priceFilters[name].chooses === 'prices',
)

/** Returns the same parts restricted to other days. */
export function inPeriod(
  parts: readonly SignedPart[],
  days: Pick<CellFilter, 'startDate' | 'endDate'>,
): SignedPart[] {
  return parts.map(({ wanted, sign }) => ({ wanted: { ...wanted, ...days }, sign }))
}

/** Returns the same parts restricted to some markets. */
export function inMarkets(parts: readonly SignedPart[], marketIds: readonly number[]): SignedPart[] {
  return parts.map(({ wanted, sign }) => ({
    wanted: { ...wanted, marketIds: both(marketIds, wanted.marketIds) },
    sign,
  }))
}

/** Returns the same parts restricted to some products, none of which may be an excluded product. */
export function ofProducts(parts: readonly SignedPart[], productIds: readonly number[]): SignedPart[] {
  return parts.map(({ wanted: { otherProductIds: _, ...wanted }, sign }) => ({
    wanted: { ...wanted, productIds: both(productIds, wanted.productIds) },
    sign,
  }))
}

/** Intersects two lists of keys; an absent list does not restrict. */
function both<Key extends number | string>(
  one: readonly Key[] | undefined,
  other: readonly Key[] | undefined,
) {
  if (!one || !other) return one ?? other
  const others = new Set(other)
  return one.filter((key) => others.has(key))
}

function canMatch({ wanted: { productIds, marketIds, collectors } }: SignedPart): boolean {
  return [productIds, marketIds, collectors].every((chosen) => chosen?.length !== 0)
}
