import { type ReactNode, use } from 'react'
import type { Overview } from '#features/statistics/statistics.contract.ts'
import type { StatisticsSelection } from '#features/statistics/ui/statistics-selection.ts'
import { ChartWordsContext } from '#web/ui/charts/chart-words.ts'

/** Whether no price can have been collected yet: there is no product or no market, and no filter is why. */
export function isBlankPlatform(overview: Overview, chosen: StatisticsSelection['chosen']): boolean {
  const { products, markets } = overview
  return (
    (products.total === 0 || markets.total === 0) &&
    Object.values(chosen).every((value) => value === undefined)
  )
}

/** What is empty says why: on a blank platform no other period would help. */
export function WhyEmpty({ blank, children }: { blank: boolean; children: ReactNode }) {
  const words = use(ChartWordsContext)
  const nothing = { ...words.nothing, sentence: 'Aucun prix n’a encore été relevé.' }
  return <ChartWordsContext value={blank ? { ...words, nothing } : words}>{children}</ChartWordsContext>
}
