import { resourceAddresses } from '#shared/addresses.ts'
import { choicesOf, namedOption } from '#web/forms/choices.ts'

export const categoryChoices = choicesOf<{ id: number; name: string }>(
  { listed: 'categories', ...resourceAddresses('categories') },
  namedOption,
  'Catégorie inconnue',
)
