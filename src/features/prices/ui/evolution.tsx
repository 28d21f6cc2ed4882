import { useMemo, useState } from 'react'
import type { PriceSummary } from '#features/prices/summary/summary.contract.ts'
import { useAverages } from '#features/prices/ui/summary.ts'
import { formatTenths } from '#web/format.ts'
import { Segmented } from '#web/ui/segmented.tsx'

const views = [
  { value: 'index', label: 'Indice', name: 'Indice des prix, 100 au départ' },
  { value: 'average', label: 'Prix moyen', name: 'Prix moyen de chaque jour' },
] as const
type View = (typeof views)[number]['value']

/**
 * What a chart of a selection draws: the index of several products, the average of each day as a second view; of one, its
 * average.
 *
 * @param maxGapDays a silence of days longer than this is a gap in the averages
 */
export function useEvolution(summary: PriceSummary | undefined, maxGapDays?: number) {
  const [view, setView] = useState<View>('index')
  const hasIndex = (summary?.productDistribution.length ?? 0) > 1
  const isIndex = hasIndex && view === 'index'
  const index = useIndexLine(summary?.index)
  const averages = useAverages(summary)
  return {
    isIndex,
    /** Of several products: which of the two is drawn. */
    chooser: hasIndex && (
      <Segmented label="Ce que montre le graphique" value={view} onChange={setView} options={views} />
    ),
    line: isIndex
      ? {
          definition: '/methode#indice',
          unit: 'indice',
          formatValue: formatTenths,
          series: index,
          // A point a week: only a missing week is a gap.
          maxGapDays: 7,
        }
      : { definition: '/methode#moyennes', unit: 'FC', series: averages, maxGapDays },
  }
}

/** The line of an index, its provisional weeks dashed and named so. */
export function useIndexLine(index: PriceSummary['index'] | undefined) {
  return useMemo(
    () => [
      {
        key: 'index',
        label: 'Indice',
        points: (index ?? []).map(({ week, value, isProvisional }) => ({
          date: week,
          value,
          estimated: isProvisional,
          note: isProvisional ? 'provisoire' : undefined,
        })),
      },
    ],
    [index],
  )
}
