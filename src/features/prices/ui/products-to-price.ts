import { useRef } from 'react'
import type { latestPricesInMarket, PriceInMarket } from '#features/prices/in-market/in-market.contract.ts'
import { priceAddresses } from '#features/prices/prices.addresses.ts'
import { productChoices, productOption } from '#features/products/ui/choices.ts'
import { call } from '#web/api.ts'
import type { SearchOptions } from '#web/ui/use-options.ts'

const mostOffered = 100

/**
 * Which product to price next: those that the market sells and that have no price on that day; all of them once letters are
 * typed, or where no market is chosen (0).
 */
export function useProductsToPrice(marketId: number, day: unknown) {
  // Asked for once: on 2G, the list must be there when the box is.
  const sold = useRef(new Map<number, Promise<PriceInMarket[]>>())
  const priced = useRef(new Set<string>())
  const keyOf = (productId: number) => `${marketId} ${day} ${productId}`

  function soldIn(id: number): Promise<PriceInMarket[]> {
    const cached = sold.current.get(id)
    if (cached) return cached
    const query = { limit: mostOffered, sort: 'product' } as const
    const asked = call<typeof latestPricesInMarket>(priceAddresses.latestInMarket, { params: { id }, query })
    const rows = asked.then(({ data }) => data)
    sold.current.set(id, rows)
    rows.catch(() => sold.current.delete(id))
    return rows
  }

  const search: SearchOptions = async (typed, signal) => {
    const rows = typed || !marketId ? [] : await soldIn(marketId)
    const wanted = rows.filter(
      ({ product, observedOn }) => observedOn !== day && !priced.current.has(keyOf(product.id)),
    )
    if (wanted.length === 0) return productChoices.search(typed, signal)
    return wanted.map(({ product }) => productOption(product))
  }
  return { search, leaveOut: (productId: number) => void priced.current.add(keyOf(productId)) }
}
