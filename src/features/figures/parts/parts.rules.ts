import {
  type NamesOf,
  type PriceFilter,
  type PriceFilterName,
  priceFilterNames,
  priceFilters,
} from '#features/figures/filters/filters.contract.ts'
import type { CellFilter } from '#features/figures/rollups/rollups.rules.ts'

type OnlyOnPrices = Pick<PriceFilter, NamesOf<'prices'>> & {
  /** Names exactly as prices write them. */
  collectors?: readonly string[] | undefined
}

/** A filter said in ids: what cells answer, and what only the prices themselves do. */
export type PartFilter = CellFilter & Partial<OnlyOnPrices>

/** Prices that count once more, or once less because two other parts hold them both. */
export type SignedPart = { wanted: PartFilter; sign: 1 | -1 }

/** Rows that hold the same words of a search: bit n stands for its nth word. */
type Holding = { words: number; ids: readonly number[] }

/** What the names and words of a filter stand for; undefined where nothing was asked. */
export type Found = {
  /** By the name of the filter that found them. */
  keys?: Partial<Record<PriceFilterName, readonly (number | string)[] | null>>
  /** Products that are no goods, where goods alone are meant. */
  others?: readonly number[] | undefined
  /** How many words a search has, and which of them products and markets hold. */
  words?: number | undefined
  products?: readonly Holding[] | undefined
  markets?: readonly Holding[] | undefined
}

/**
 * Says a list query in ids. Each word of a search is found in the product or in the market: the parts are the prices of the
 * markets that hold all words, those of the products that do, less those counted twice, and, for products that hold some
 * words, their prices in the markets that hold the others. No part at all means that nothing can match.
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

/** The keys that all filters of a kind leave, chosen or found; undefined where none was asked for. */
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
  // Ids where a filter chooses products or markets, names where it chooses collectors.
  return left as Keys[By] | undefined
}

/** The filters that are conditions as they stand. */
function plainOf(filter: PriceFilter): Pick<PriceFilter, NamesOf<'cells' | 'prices'>> {
  const plain = priceFilterNames.filter((name) => ['cells', 'prices'].includes(priceFilters[name].chooses))
  // `fromEntries` forgets the names.
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
      const others = markets.filter((market) => market.words !== all && (market.words | words) === all)
      const marketIds = both(
        wanted.marketIds,
        others.flatMap((market) => market.ids),
      )
      parts.push({ wanted: { ...chosen, productIds, marketIds }, sign: 1 })
    }
  }
  return parts
}

/** The one part that cells can answer for; null where only the prices themselves can. */
export function rolledUp(parts: readonly SignedPart[]): CellFilter | null {
  const [part] = parts
  return parts.length === 1 && part && isOnCells(part.wanted) ? part.wanted : null
}

/** Whether nothing is asked that cells do not hold. */
export function isOnCells({ collectors, ...wanted }: PartFilter): boolean {
  return collectors === undefined && onPrices.every((name) => wanted[name] === undefined)
}

const onPrices = priceFilterNames.filter(
  (name): name is NamesOf<'prices'> => priceFilters[name].chooses === 'prices',
)

/** The same prices of other days. */
export function inPeriod(
  parts: readonly SignedPart[],
  days: Pick<CellFilter, 'startDate' | 'endDate'>,
): SignedPart[] {
  return parts.map(({ wanted, sign }) => ({ wanted: { ...wanted, ...days }, sign }))
}

/** The same parts in some markets alone. */
export function inMarkets(parts: readonly SignedPart[], marketIds: readonly number[]): SignedPart[] {
  return parts.map(({ wanted, sign }) => ({
    wanted: { ...wanted, marketIds: both(marketIds, wanted.marketIds) },
    sign,
  }))
}

/** The same parts of some products alone, which are not among those that are not meant. */
export function ofProducts(parts: readonly SignedPart[], productIds: readonly number[]): SignedPart[] {
  return parts.map(({ wanted: { otherProductIds: _, ...wanted }, sign }) => ({
    wanted: { ...wanted, productIds: both(productIds, wanted.productIds) },
    sign,
  }))
}

/** What two lists of keys have in common; an absent one does not restrict. */
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
