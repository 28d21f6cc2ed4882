import type { Market } from '#features/markets/markets.contract.ts'
import type { prices } from '#features/prices/prices.contract.ts'
import type { Product } from '#features/products/products.contract.ts'
import { choicesOf } from '#web/forms/choices.ts'
import { useAnswer } from '#web/query.ts'
import { useMay } from '#web/session.ts'
import type { Option } from '#web/ui/use-options.ts'

// Addresses only: the contracts' schemas stay with the server.
export const productChoices = choicesOf<Pick<Product, 'id' | 'name' | 'code'>>(
  {
    listed: 'products',
    list: { method: 'GET', path: '/api/products' },
    find: { method: 'GET', path: '/api/products/{id}' },
  },
  productOption,
  'Produit inconnu',
)
export const marketChoices = choicesOf<Pick<Market, 'id' | 'name' | 'location'>>(
  {
    listed: 'data',
    list: { method: 'GET', path: '/api/markets' },
    find: { method: 'GET', path: '/api/markets/{id}' },
  },
  marketOption,
  'Marché inconnu',
)

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
