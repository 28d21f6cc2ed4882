import { brands } from '#features/brands/brands.contract.ts'
import { categories } from '#features/categories/categories.contract.ts'
import { productTypes } from '#features/product-types/product-types.contract.ts'
import { productWritings } from '#features/products/products.contract.ts'
import { choicesOf, namedOption } from '#web/forms/choices.ts'
import { useAnswer } from '#web/query.ts'

export const categoryChoices = choicesOf(categories, namedOption, 'Catégorie inconnue')
export const brandChoices = choicesOf(brands, namedOption, 'Marque inconnue')
export const typeChoices = choicesOf(
  productTypes,
  (type) => ({ ...namedOption(type), hint: type.category.name }),
  'Type inconnu',
)

/** The origins and formats that products already have, so that one thing is not written in two ways. */
export function useWritings(): { origins: readonly string[]; formats: readonly string[] } {
  return useAnswer(productWritings, {}).data ?? { origins: [], formats: [] }
}
