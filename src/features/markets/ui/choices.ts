import { marketAddresses } from '#features/markets/markets.addresses.ts'
import type { Market } from '#features/markets/markets.contract.ts'
import { fullName } from '#features/markets/ui/places.ts'
import { choicesOf } from '#web/forms/choices.ts'
import type { Option } from '#web/ui/use-options.ts'

export const marketChoices = choicesOf<Pick<Market, 'id' | 'name' | 'location'>>(
  marketAddresses,
  marketOption,
  'Marché inconnu',
)

export function marketOption(market: { id: number; name: string; location: string }): Option {
  return { value: market.id, label: fullName(market) }
}
