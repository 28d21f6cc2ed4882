import type { PriceChange } from '#features/prices/live/live.contract.ts'

/** The PostgreSQL notification channel between processes. */
export const priceChannel = 'price_changed'

const mostNamed = 50

type Place = { id: number; productId: number; marketId: number }
type Deed = 'added' | 'changed' | 'removed'

/** A change of more prices than an event lists. */
export const manyPrices: PriceChange = { prices: null }
/** The stored indices now include earlier writes. */
export const newIndices: PriceChange = { prices: [], areIndicesNew: true }

/**
 * Returns the event for one written price.
 * @param places its product and market, and the previous ones when they changed
 */
export function priceWritten(deed: Deed, ...places: Place[]): PriceChange {
  return { prices: places.map(({ id, productId, marketId }) => ({ id, productId, marketId, deed })) }
}

/** Merges two changes into one that fits in a notification. */
export function mergeChanges(one: PriceChange, other: PriceChange): PriceChange {
  if (!one.prices || !other.prices) return manyPrices
  const prices = [...one.prices, ...other.prices]
  if (prices.length > mostNamed) return manyPrices
  return one.areIndicesNew || other.areIndicesNew ? { ...newIndices, prices } : { prices }
}

/**
 * Returns whether a change may affect a list. Only the product and market filters can be checked here; the others are
 * assumed to match.
 */
export function concerns(
  list: { productId?: number | undefined; marketId?: number | undefined },
  { prices, areIndicesNew }: PriceChange,
): boolean {
  // The index of a single product is never stored.
  if (!prices || (areIndicesNew && list.productId === undefined)) return true
  return prices.some(
    ({ productId, marketId }) =>
      (list.productId === undefined || list.productId === productId) &&
      (list.marketId === undefined || list.marketId === marketId),
  )
}

/** Removes the caller's own writes from a change; null when nothing is left. */
export function withoutOwn(change: PriceChange, own: ReadonlySet<number>): PriceChange | null {
  if (!change.prices) return change
  const prices = change.prices.filter(({ id }) => !own.has(id))
  return prices.length > 0 || change.areIndicesNew ? { ...change, prices } : null
}
