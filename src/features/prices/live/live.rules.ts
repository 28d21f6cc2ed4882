import type { PriceChange } from '#features/prices/live/live.contract.ts'

/** The channel on which every process tells the others. */
export const priceChannel = 'price_changed'

const mostNamed = 50

type Place = { id: number; productId: number; marketId: number }
type Deed = 'added' | 'changed' | 'removed'

/** Too much to name. */
export const manyPrices: PriceChange = { prices: null }
/** The stored indices hold what was written before. */
export const newIndices: PriceChange = { prices: [], areIndicesNew: true }

/** @param places of one price: where it stands, and before that when it moved */
export function priceWritten(deed: Deed, ...places: Place[]): PriceChange {
  return { prices: places.map(({ id, productId, marketId }) => ({ id, productId, marketId, deed })) }
}

/** Both changes as one, which fits in a notification. */
export function mergeChanges(one: PriceChange, other: PriceChange): PriceChange {
  if (!one.prices || !other.prices) return manyPrices
  const prices = [...one.prices, ...other.prices]
  if (prices.length > mostNamed) return manyPrices
  return one.areIndicesNew || other.areIndicesNew ? { ...newIndices, prices } : { prices }
}

/**
 * Whether a list may look different after a change. Products and markets decide; the other filters cannot be judged
 * from here, and let everything through.
 */
export function concerns(
  list: { productId?: number | undefined; marketId?: number | undefined },
  { prices, areIndicesNew }: PriceChange,
): boolean {
  // The index of a product is never a stored one.
  if (!prices || (areIndicesNew && list.productId === undefined)) return true
  return prices.some(
    ({ productId, marketId }) =>
      (list.productId === undefined || list.productId === productId) &&
      (list.marketId === undefined || list.marketId === marketId),
  )
}

/** What is left of a change beside one's own writes; null when nothing is. */
export function withoutOwn(change: PriceChange, own: ReadonlySet<number>): PriceChange | null {
  if (!change.prices) return change
  const prices = change.prices.filter(({ id }) => !own.has(id))
  return prices.length > 0 || change.areIndicesNew ? { ...change, prices } : null
}
