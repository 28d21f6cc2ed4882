import type { ImportKind } from '#features/imports/imports.contract.ts'
import { formatCount } from '#web/format.ts'

type Words = {
  /** « Prix »: what the file holds. */
  label: string
  /** What a file of this kind brings: `['relevé', 'relevés']`. */
  noun: readonly [one: string, other: string]
  /** What the file picker offers. */
  accept: string
  /** Which files are understood. */
  hint: string
}

/** How each kind of import is spoken of. */
export const kinds: Record<ImportKind, Words> = {
  prices: {
    label: 'Prix',
    noun: ['relevé', 'relevés'],
    accept: '.csv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    hint: 'CSV ou XLSX, du PAM (HDX) ou exporté d’ici\u202f; 200\u00a0Mo au plus, 20\u00a0Mo pour un XLSX. Rien n’est écrit avant votre accord.',
  },
  products: {
    label: 'Produits',
    noun: ['produit', 'produits'],
    accept: '.csv,.xlsx,text/csv,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    hint: 'CSV ou XLSX, exporté d’ici ou rempli d’après le modèle, dont les deux lignes d’exemple sont ignorées. Rien n’est écrit avant votre accord.',
  },
}

/** `25 relevés` */
export function countOf(kind: ImportKind, count: number): string {
  return formatCount(count, ...kinds[kind].noun)
}
