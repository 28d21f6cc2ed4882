import { useMemo } from 'react'
import type { Comparison, Unit } from '#features/comparison/comparison.contract.ts'
import { labelsOf, sharedBy } from '#features/comparison/ui/labels.ts'
import { type ComparedSeriesKey, seriesText } from '#features/prices/series/series.rules.ts'
import { FigureData } from '#features/prices/ui/figure-data.tsx'
import { excludedText } from '#features/prices/ui/price-movement.tsx'
import { axisEnd, daysText } from '#features/prices/ui/price-selection.ts'
import type { DayRange } from '#shared/fields.ts'
import { capitalise, formatDate, formatTenths } from '#web/format.ts'
import { LineChart } from '#web/ui/charts/line-chart.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

type ComparedSeriesProps = {
  comparison: Comparison | undefined
  refetching: boolean
  unit: Unit
  days: DayRange
}

const measures: Record<Unit, string> = { CDF: 'FC', USD: '$US', index: 'indice' }
const titles: Record<Unit, string> = {
  CDF: 'Prix moyen de chaque jour, en francs',
  USD: 'Prix moyen de chaque jour, en dollars',
  index: 'Indice du prix moyen de chaque jour',
}

/** The series on one chart, with their table, their image and their CSV. */
export function ComparedSeries({ comparison, refetching, unit, days }: ComparedSeriesProps) {
  const series = useMemo(() => {
    const labels = labelsOf(comparison?.data ?? [])
    return (comparison?.data ?? []).map(({ product, market, points }, i) => ({
      key: `${product.id}-${market.id}`,
      label: labels[i] ?? '',
      points,
    }))
  }, [comparison])
  const besides = useMemo(() => {
    const rates = new Map((comparison?.rates ?? []).map(({ date, ...rate }) => [date, rate]))
    if (rates.size === 0) return []
    return [
      { title: 'CDF pour 1 USD', of: (date: string) => rates.get(date)?.cdfPerUsd ?? null },
      { title: 'Jour du taux', of: (date: string) => rates.get(date)?.day ?? null },
    ]
  }, [comparison])
  const { data: all = [], excluded = 0 } = comparison ?? {}
  const last =
    all
      .flatMap(({ lastDay }) => lastDay ?? [])
      .sort()
      .at(-1) ?? null
  const base =
    unit === 'index' &&
    (comparison?.base
      ? `100 = ${formatDate(comparison.base)}, le premier jour relevé dans toutes`
      : '100 = premier relevé de chaque série')
  return (
    <LineChart
      title={titles[unit]}
      definition="/methode#comparaison"
      subtitle={[sharedBy(all), capitalise(daysText(days)), base].filter(Boolean).join('. ')}
      unit={measures[unit]}
      formatValue={unit === 'index' ? formatTenths : undefined}
      series={series}
      // Markets are visited every few days: only a longer silence is a gap.
      maxGapDays={7}
      until={axisEnd(days)}
      besides={besides}
      source={{
        count: all.reduce((sum, { count }) => sum + count, 0),
        last,
      }}
      loading={comparison === undefined}
      refetching={refetching}
      actions={
        all.some(({ count }) => count > 0) && (
          <FigureData rows={{ ...days, series: seriesText(all.map(keyOf)) }} />
        )
      }
      note={excluded > 0 && <p className="text-ink-soft">{`${excludedText(excluded)}.`}</p>}
      empty={
        <EmptyState compact title="Aucun relevé à comparer">
          {`Aucune de ces séries n’a de relevé${days.startDate || days.endDate ? ' à ces dates' : ''}.`}
        </EmptyState>
      }
      info={
        <>
          La moyenne des prix relevés chaque jour dans le marché. En francs, un prix en dollars est converti
          au taux de son jour, et l’inverse en dollars. L’indice vaut 100 le premier jour où toutes les séries
          ont un prix. Un silence de plus de sept jours reste un trou.
        </>
      }
    />
  )
}

function keyOf({ product, market }: Comparison['data'][number]): ComparedSeriesKey {
  return { productId: product.id, marketId: market.id }
}
