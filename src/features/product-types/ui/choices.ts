import { resourceAddresses } from '#shared/addresses.ts'
import { choicesOf, namedOption } from '#web/forms/choices.ts'

export const typeChoices = choicesOf<{ id: number; name: string; category: { name: string } }>(
  { listed: 'productTypes', ...resourceAddresses('product-types') },
  (type) => ({ ...namedOption(type), hint: type.category.name }),
  'Type inconnu',
)
