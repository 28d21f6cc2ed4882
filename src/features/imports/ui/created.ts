import type { StoredReport } from '#features/imports/imports.contract.ts'
import { formatCount } from '#web/format.ts'

/** `2 marchés, 3 produits`: what a reading creates besides its rows; empty when nothing. */
export function createdText({
  markets,
  categories,
  types,
  brands,
  products,
}: StoredReport['created']): string {
  const parts: [count: number, one: string, many: string][] = [
    [markets, 'marché', 'marchés'],
    [categories, 'catégorie', 'catégories'],
    [types, 'type de produit', 'types de produit'],
    [brands, 'marque', 'marques'],
    [products, 'produit', 'produits'],
  ]
  return parts
    .filter(([count]) => count > 0)
    .map((part) => formatCount(...part))
    .join(', ')
}
