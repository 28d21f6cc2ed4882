import type { prices } from '#features/prices/prices.contract.ts'
import type { Selection } from '#features/prices/rollups/rollups.rules.ts'
import type { QueryOf } from '#shared/contract.ts'

export type PricesQuery = QueryOf<typeof prices.list>
/** The same without its page: all the prices that a list goes through. */
export type WholeQuery = Omit<PricesQuery, 'page' | 'limit'>

/** Which prices a list, a file or figures are about; their order and page aside. */
export type Asked = Omit<WholeQuery, 'sort'>

/** What a list can ask beyond a selection. */
export type Wanted = Selection & {
  /** Names exactly as prices write them. */
  collectors?: readonly string[] | undefined
  writtenBy?: number | undefined
  minPrice?: number | undefined
  maxPrice?: number | undefined
}

/** Prices that count once more, or once less because two other parts hold them both. */
export type SignedPart = { wanted: Wanted; sign: 1 | -1 }

/** Rows that hold the same words of a search: bit n stands for its nth word. */
type Holding = { words: number; ids: readonly number[] }

/** What the words of a query stand for; undefined where nothing was asked. */
export type Found = {
  /** Products of the category, the type and the kind chosen. */
  ofShelf?: readonly number[] | undefined
  inLocation?: readonly number[] | undefined
  inProvince?: readonly number[] | undefined
  ofBrand?: readonly number[] | undefined
  /** Products that are no goods, where goods alone are meant. */
  others?: readonly number[] | undefined
  /** How many words a search has, and which of them products and markets hold. */
  words?: number | undefined
  products?: readonly Holding[] | undefined
  markets?: readonly Holding[] | undefined
  collectors?: readonly string[] | undefined
}

/**
 * Says a list query in ids. Each word of a search is found in the product or in the market: the parts are the prices of the
 * markets that hold all words, those of the products that do, less those counted twice, and, for products that hold some
 * words, their prices in the markets that hold the others. No part at all means that nothing can match.
 */
export function partsOf(query: Asked, found: Found): SignedPart[] {
  const { productId, marketId, collector, writtenBy, currency, startDate, endDate, minPrice, maxPrice } =
    query
  const others = found.others ?? []
  const chosen = both(productId === undefined ? undefined : [productId], both(found.ofShelf, found.ofBrand))
  const wanted: Wanted = {
    productIds: chosen?.filter((id) => !others.includes(id)),
    otherProductIds: chosen || others.length === 0 ? undefined : others,
    marketIds: both(
      marketId === undefined ? undefined : [marketId],
      both(found.inLocation, found.inProvince),
    ),
    collectors: both(collector === undefined ? undefined : [collector], found.collectors),
    writtenBy,
    currency,
    startDate,
    endDate,
    minPrice,
    maxPrice,
  }
  const parts = found.words ? searchedParts(wanted, found, found.words) : [{ wanted, sign: 1 as const }]
  return parts.filter(canMatch)
}

function searchedParts(wanted: Wanted, { products = [], markets = [] }: Found, count: number): SignedPart[] {
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

/** The selection that daily cells can answer for; null where only the prices themselves can. */
export function rolledUp(parts: readonly SignedPart[]): Selection | null {
  const [part] = parts
  if (parts.length !== 1 || !part) return null
  const { collectors, writtenBy, minPrice, maxPrice, ...selection } = part.wanted
  return [collectors, writtenBy, minPrice, maxPrice].every((each) => each === undefined) ? selection : null
}

/** The same prices of other days. */
export function inPeriod(
  parts: readonly SignedPart[],
  days: Pick<Selection, 'startDate' | 'endDate'>,
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
