import { brands } from '#features/brands/brands.contract.ts'
import { choicesOf, namedOption } from '#web/forms/choices.ts'

export const brandChoices = choicesOf(brands, namedOption, 'Marque inconnue')
