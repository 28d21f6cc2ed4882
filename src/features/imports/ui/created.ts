import type { ImportKind, StoredReport } from '#features/imports/imports.contract.ts'
import { formatCount } from '#web/format.ts'

/** `2 marchés, 3 produits`: what a reading creates besides its rows; empty when nothing. */
export function createdText(kind: ImportKind, created: StoredReport['created']): string {
  const { markets, categories, types, brands, products } = created
  const parts: [count: number, one: string, many: string][] = [
    [markets, 'marché', 'marchés'],
    [categories, 'catégorie', 'catégories'],
    [types, 'type de produit', 'types de produit'],
    [brands, 'marque', 'marques'],
    // Those of a file of products are what it adds, not what it needs.
    [kind === 'products' ? 0 : products, 'produit', 'produits'],
  ]
  return parts
    .filter(([count]) => count > 0)
    .map((part) => formatCount(...part))
    .join(', ')
}
