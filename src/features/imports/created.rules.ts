import type { ImportState } from '#features/imports/imports.contract.ts'
import type { Created, Forms, ImportReport } from '#features/imports/report.contract.ts'

const figures = new Intl.NumberFormat('fr-FR')
const nouns: Record<keyof Created, Forms> = {
  markets: ['marché', 'marchés'],
  categories: ['catégorie', 'catégories'],
  types: ['type de produit', 'types de produit'],
  brands: ['marque', 'marques'],
  products: ['produit', 'produits'],
}
const order = ['markets', 'categories', 'types', 'brands', 'products'] as const satisfies (keyof Created)[]

/**
 * Returns `2 marchés, 3 produits`: what an import creates besides the rows it adds; empty when nothing.
 *
 * @param adds the counter of the rows that the file itself adds, which is reported elsewhere
 */
export function createdText(created: Created, adds?: keyof Created): string {
  return order
    .filter((key) => key !== adds && created[key] > 0)
    .map((key) => counted(created[key], nouns[key]))
    .join(', ')
}

/** Returns what is created, with the names that were listed: « Produits : Riz, Sel, … et 3 autres ». */
export function createdNames(
  created: Created,
  names: Readonly<Record<keyof Created, readonly string[]>>,
): { label: string; text: string }[] {
  return order
    .filter((key) => names[key].length > 0)
    .map((key) => {
      const others = created[key] - names[key].length
      const label = counted(created[key], nouns[key])
      return {
        label,
        text: `${names[key].join(', ')}${others > 0 ? ` et ${counted(others, ['autre', 'autres'])}` : ''}`,
      }
    })
}

/** Returns for example `25 relevés`. */
export function counted(count: number, [one, many]: Forms): string {
  return `${figures.format(count)}\u00a0${count > 1 ? many : one}`
}

/** Returns a sentence without the capital of its first letter, to follow a colon. */
export function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1)
}

/** Returns what the failure of the work for a state says about the data. */
export function untouchedText(state: ImportState): string {
  return `Rien n’a été ${state === 'undoing' ? 'retiré' : 'écrit'}`
}

/** Returns the number of rows an import adds or revises: what can be confirmed, and undone. */
export function changesOf(report: Pick<ImportReport, 'added' | 'revised'> | null): number {
  return report ? report.added + report.revised : 0
}
