import { resourceAddresses } from '#shared/addresses.ts'
import { choicesOf, namedOption } from '#web/forms/choices.ts'

export const brandChoices = choicesOf<{ id: number; name: string }>(
  { listed: 'brands', ...resourceAddresses('brands') },
  namedOption,
  'Marque inconnue',
)
