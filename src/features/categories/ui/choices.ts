import { categories } from '#features/categories/categories.contract.ts'
import { choicesOf, namedOption } from '#web/forms/choices.ts'

export const categoryChoices = choicesOf(categories, namedOption, 'Catégorie inconnue')
