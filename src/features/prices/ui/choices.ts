import type { markets } from '#features/markets/markets.contract.ts'
import type { prices } from '#features/prices/prices.contract.ts'
import type { products } from '#features/products/products.contract.ts'
import { call } from '#web/api.ts'
import { useAnswer } from '#web/query.ts'
import { useMay } from '#web/session.ts'
import type { Option, SearchOptions } from '#web/ui/use-options.ts'

// Addresses only: the contracts' schemas stay with the server.
const productList = { method: 'GET', path: '/api/products' } as const
const productOfId = { method: 'GET', path: '/api/products/{id}' } as const
const marketList = { method: 'GET', path: '/api/markets' } as const
const marketOfId = { method: 'GET', path: '/api/markets/{id}' } as const
const shown = 30

export const searchProducts: SearchOptions = async (search, signal) => {
  const query = { search, limit: shown, sort: 'name' }
  const answer = await call<typeof products.list>(productList, { query, signal })
  return answer.products.map(productOption)
}

export const searchMarkets: SearchOptions = async (search, signal) => {
  const query = { search, limit: shown, sort: 'name' }
  const answer = await call<typeof markets.list>(marketList, { query, signal })
  return answer.data.map(marketOption)
}

/** The product of an address, by its name; null while it is looked for. */
export function useProductOption(id: number | undefined): Option | null {
  const options = { enabled: id !== undefined, staleTimeMs: Number.POSITIVE_INFINITY }
  const { data } = useAnswer<typeof products.find>(productOfId, { params: { id: id ?? 0 } }, options)
  return data ? productOption(data) : null
}

/** The market of an address, by its name; null while it is looked for. */
export function useMarketOption(id: number | undefined): Option | null {
  const options = { enabled: id !== undefined, staleTimeMs: Number.POSITIVE_INFINITY }
  const { data } = useAnswer<typeof markets.find>(marketOfId, { params: { id: id ?? 0 } }, options)
  return data ? marketOption(data) : null
}

export function productOption(product: { id: number; name: string; code: string }): Option {
  return { value: product.id, label: product.name, hint: product.code }
}

export function marketOption(market: { id: number; name: string; location: string }): Option {
  return { value: market.id, label: market.name, hint: market.location }
}

/** The names of those who collect, to choose from where one writes prices; the field stays free. */
export function useCollectors(): string[] {
  const may = useMay()
  const { data } = useAnswer<typeof prices.collectors>(
    { method: 'GET', path: '/api/prices/collectors' },
    {},
    { enabled: may('prices.write') || may('prices.collect') },
  )
  return [...new Set(data?.data.map(({ name }) => name))]
}
