import { createContext } from 'react'

/** French words for what charts count; the program sets them once for all charts. */
export type ChartWords = {
  one: string
  many: string
  /** Label of the date of the last value: « Dernière donnée ». */
  last: string
  /** Title and sentence of a chart without data. */
  nothing: { title: string; sentence: string }
}

export const ChartWordsContext = createContext<ChartWords>({
  one: 'donnée',
  many: 'données',
  last: 'Dernière donnée',
  nothing: { title: 'Aucune donnée disponible', sentence: 'Aucune donnée pour cette sélection.' },
})
