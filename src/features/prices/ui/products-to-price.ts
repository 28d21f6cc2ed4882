import { useRef } from 'react'
import type { latestPricesInMarket, PriceInMarket } from '#features/prices/in-market/in-market.contract.ts'
import { priceAddresses } from '#features/prices/prices.addresses.ts'
import { productChoices, productOption } from '#features/products/ui/choices.ts'
import { call } from '#web/api.ts'
import type { SearchOptions } from '#web/ui/use-options.ts'

const mostOffered = 100

/**
 * Searches the product to price next: products sold in the market without a price on that day; all products once the
 * user types, or where no market is chosen (0).
 */
export function useProductsToPrice(marketId: number, day: unknown) {
  // Requested once for each market: on 2G, the list must be ready when the box opens.
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
