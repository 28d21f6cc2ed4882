import { useMemo, useState } from 'react'
import type { PriceSummary } from '#features/figures/summary/summary.contract.ts'
import { cutOffAt } from '#features/figures/summary/summary.rules.ts'
import { useAverages } from '#features/prices/ui/summary.ts'
import { formatDate, formatTenths } from '#web/format.ts'
import { Segmented } from '#web/ui/segmented.tsx'

const views = [
  { value: 'index', label: 'Indice', name: 'Indice des prix, 100 au départ' },
  { value: 'average', label: 'Prix moyen', name: 'Prix moyen de chaque jour' },
] as const
type View = (typeof views)[number]['value']

/**
 * Returns what a chart of a selection draws: for several products the index, with the daily average as a second view;
 * for one product the daily average.
 * @param maxGapDays days without a price beyond which the curve of averages is interrupted
 */
export function useEvolution(summary: PriceSummary | undefined, maxGapDays?: number) {
  const [view, setView] = useState<View>('index')
  const hasIndex = (summary?.productDistribution.length ?? 0) > 1
  const isIndex = hasIndex && view === 'index'
  const index = useIndexLine(summary)
  const averages = useAverages(summary)
  return {
    isIndex,
    /** With several products: the choice between the index and the average. */
    chooser: hasIndex && (
      <Segmented label="Ce que montre le graphique" value={view} onChange={setView} options={views} />
    ),
    line: isIndex ? index : { definition: '/methode#moyennes', unit: 'FC', series: averages, maxGapDays },
  }
}

type Indexed = Pick<PriceSummary, 'index'> & Partial<Pick<PriceSummary, 'earlierIndex' | 'dailyPrices'>>

/**
 * Returns an index as a chart draws it: provisional weeks dashed and named so, and a short period with the weeks before
 * it.
 */
export function useIndexLine(summary: Indexed | undefined) {
  const { index, earlierIndex } = summary ?? {}
  const series = useMemo(
    () => [
      {
        key: 'index',
        label: 'Indice',
        points: [...(earlierIndex ?? []), ...(index ?? [])].map(({ week, value, isProvisional }) => ({
          date: week,
          value,
          isProvisional,
          note: isProvisional ? 'provisoire' : undefined,
        })),
      },
    ],
    [index, earlierIndex],
  )
  return {
    definition: '/methode#indice',
    unit: 'indice',
    formatValue: formatTenths,
    series,
    beforeDay: 'semaine du ',
    // One point a week: only a missing week is a gap.
    maxGapDays: 7,
    info: 'Ce que les mêmes produits dans les mêmes marchés sont devenus, 100 la première semaine de la période, quoi qu’on ait relevé chaque jour. Une période courte est montrée avec les semaines d’avant. Les huit dernières semaines, provisoires, sont en pointillé.',
  }
}

/** « 7 derniers jours et les semaines d’avant. 100 = semaine du 9 nov. 2026 » */
export function indexPeriod(periodText: string, summary: Indexed | undefined): string {
  const base = summary?.index[0]?.week
  const before = summary?.earlierIndex?.length ? ' et les semaines d’avant' : ''
  const { index = [], dailyPrices = [] } = summary ?? {}
  const cut = cutOffAt({ index, dailyPrices })
    ? ', où l’indice commence\u00a0: rien ne relie à lui les relevés d’avant'
    : ''
  return `${periodText}${before}${base ? `. 100\u00a0= semaine du ${formatDate(base)}${cut}` : ''}`
}
