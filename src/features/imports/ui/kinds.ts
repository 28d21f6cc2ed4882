import { createContext, useContext } from 'react'
import type { ImportState } from '#features/imports/imports.contract.ts'
import type { Forms, ImportReport, ImportWords } from '#features/imports/report.contract.ts'
import type { ImportKind } from '#features/mappings/kinds.contract.ts'
import { formatCount, plural } from '#web/format.ts'

/** The words of each kind of import; provided by main, since each kind is its own feature. */
export const ImportKinds = createContext<Readonly<Record<ImportKind, ImportWords>> | null>(null)

export function useImportKinds() {
  const kinds = useContext(ImportKinds)
  if (!kinds) throw new Error('the kinds of imports are not given')
  return kinds
}

/** Returns for example `25 relevés`. */
export function amountOf({ noun }: ImportWords, count: number): string {
  return formatCount(count, ...noun)
}

type Verbs = Record<'added' | 'revised', Forms>
const toWrite: Verbs = { added: ['à ajouter', 'à ajouter'], revised: ['à réviser', 'à réviser'] }
const written: Verbs = { added: ['ajouté', 'ajoutés'], revised: ['révisé', 'révisés'] }
const undone: Verbs = { added: ['retiré', 'retirés'], revised: ['rétabli', 'rétablis'] }
const verbs: Partial<Record<ImportState, Verbs>> = { done: written, undoing: written, undone }

/** Returns for example `25 relevés à ajouter`, or `25 relevés ajoutés et 1 relevé révisé`. */
export function contentText(
  words: ImportWords,
  state: ImportState,
  report: Pick<ImportReport, 'added' | 'revised'>,
): string {
  const { added, revised } = verbs[state] ?? toWrite
  const text = (count: number, verb: Forms) => `${amountOf(words, count)} ${plural(count, ...verb)}`
  if (report.revised === 0) return text(report.added, added)
  const revisions = text(report.revised, revised)
  return report.added === 0 ? revisions : `${text(report.added, added)} et ${revisions}`
}
