import { createContext, useContext } from 'react'
import type { ImportWords } from '#features/imports/report.contract.ts'
import type { ImportKind } from '#features/mappings/kinds.contract.ts'
import { formatCount } from '#web/format.ts'

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
