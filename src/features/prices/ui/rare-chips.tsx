import { brandChoices } from '#features/brands/ui/choices.ts'
import { categoryChoices } from '#features/categories/ui/choices.ts'
import { kindNames } from '#features/product-types/kinds.contract.ts'
import { typeChoices } from '#features/product-types/ui/choices.ts'
import { chipOf } from '#web/forms/choice-filter.tsx'

const kinds = new Map(Object.entries(kindNames))

// Chips of filters that only links from other pages use.
export const CategoryChip = chipOf(categoryChoices)
export const TypeChip = chipOf(typeChoices)
export const BrandChip = chipOf(brandChoices)
export const KindChip = ({ value }: { value: string }) => kinds.get(value)
