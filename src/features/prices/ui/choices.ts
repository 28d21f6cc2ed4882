import type { Market } from '#features/markets/markets.contract.ts'
import { fullName } from '#features/markets/ui/places.ts'
import type { prices } from '#features/prices/prices.contract.ts'
import type { Product } from '#features/products/products.contract.ts'
import { choicesOf } from '#web/forms/choices.ts'
import { useAnswer } from '#web/query.ts'
import { useMay } from '#web/session.ts'
import type { Option } from '#web/ui/use-options.ts'

type Named = Pick<Product, 'id' | 'name' | 'weight' | 'format' | 'code'>

// Addresses only: the contracts' schemas stay with the server.
export const productChoices = choicesOf<Named>(
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

/** Products may share a name, and markets too: what sets them apart is part of what is shown once one is chosen. */
export function productOption({ id, name, weight, format, code }: Named): Option {
  return { value: id, label: `${name} · ${weight} · ${format}`, hint: code }
}

export function marketOption(market: { id: number; name: string; location: string }): Option {
  return { value: market.id, label: fullName(market) }
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
