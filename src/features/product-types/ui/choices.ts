import { productTypes } from '#features/product-types/product-types.contract.ts'
import { choicesOf, namedOption } from '#web/forms/choices.ts'

export const typeChoices = choicesOf(
  productTypes,
  (type) => ({ ...namedOption(type), hint: type.category.name }),
  'Type inconnu',
)
