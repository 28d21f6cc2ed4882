import { type ReactNode, use } from 'react'
import type { Overview } from '#features/statistics/statistics.contract.ts'
import type { StatisticsSelection } from '#features/statistics/ui/statistics-selection.ts'
import { ChartWordsContext } from '#web/ui/charts/chart-words.ts'

/** Whether no price can have been collected yet: there is no product or no market, although nothing is filtered. */
export function isBlankPlatform(overview: Overview, chosen: StatisticsSelection['chosen']): boolean {
  const { products, markets } = overview
  return (
    (products.total === 0 || markets.total === 0) &&
    Object.values(chosen).every((value) => value === undefined)
  )
}

type WhyEmptyProps = { blank?: boolean; isEstimate?: boolean | undefined; children: ReactNode }

const blankWords = 'Aucun prix n’a encore été relevé.'
const notCounted = {
  title: 'Non calculé',
  sentence:
    'Ces filtres laissent trop de relevés à lire. Choisissez un produit, un marché ou des dates plus courtes.',
}

/** Explains why something is empty: no data on a new platform, no counts for an estimate, else `children`. */
export function WhyEmpty({ blank, isEstimate, children }: WhyEmptyProps) {
  const words = use(ChartWordsContext)
  const said = blank ? { sentence: blankWords } : isEstimate ? notCounted : null
  const nothing = { ...words.nothing, ...said }
  return <ChartWordsContext value={{ ...words, nothing }}>{children}</ChartWordsContext>
}
