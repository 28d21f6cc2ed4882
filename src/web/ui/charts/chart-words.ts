import { createContext } from 'react'

/** How French speaks of what charts count: the program says it once for all of them. */
export type ChartWords = {
  one: string
  many: string
  /** « Dernière donnée ». */
  last: string
  /** The title of a chart without any, and the sentence under it. */
  nothing: { title: string; sentence: string }
}

export const ChartWordsContext = createContext<ChartWords>({
  ...{ one: 'donnée', many: 'données', last: 'Dernière donnée' },
  nothing: { title: 'Aucune donnée disponible', sentence: 'Aucune donnée pour cette sélection.' },
})
