import { compareSeries, comparisonQuery, type Unit } from '#features/comparison/comparison.contract.ts'
import { ComparedSeries } from '#features/comparison/ui/compared-series.tsx'
import { Gaps } from '#features/comparison/ui/gaps.tsx'
import { SeriesChooser } from '#features/comparison/ui/series-chooser.tsx'
import { Suggestions } from '#features/comparison/ui/suggestions.tsx'
import { mostSeries } from '#features/prices/series/series.contract.ts'
import { seriesIn, seriesText } from '#features/prices/series/series.rules.ts'
import { ViewsMenu } from '#features/saved-views/ui/views-menu.tsx'
import { filterBarOf } from '#web/crud/filters.tsx'
import { periodControls } from '#web/forms/day-filter.tsx'
import { usePageState } from '#web/list-state.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { FilterBar } from '#web/ui/filter-bar.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Segmented } from '#web/ui/segmented.tsx'

const unitOptions: readonly { value: Unit; label: string; name: string }[] = [
  { value: 'CDF', label: 'FC', name: 'En francs, au taux de chaque jour' },
  { value: 'USD', label: '$US', name: 'En dollars, au taux de chaque jour' },
  { value: 'index', label: 'Indice', name: 'Indice, 100 au départ' },
]

/** « Comparaison »: up to six series on one chart; what it shows stands in its address. */
export function ComparisonPage() {
  const { query, set } = usePageState(comparisonQuery)
  const series = seriesIn(query.series)
  const days = { startDate: query.startDate, endDate: query.endDate }
  const answer = useAnswer(compareSeries, { query }, { keepsPrevious: true, enabled: series.length > 0 })
  return (
    <>
      <PageHeader
        title="Comparaison"
        actions={<ViewsMenu />}
        description={`Jusqu’à ${mostSeries} séries, un produit dans un marché chacune, sur un même graphique. L’adresse de la page garde votre choix.`}
      />
      <SeriesChooser
        series={series}
        onChoose={(next) => set({ series: seriesText(next) })}
        data={answer.data?.data ?? []}
        days={days}
      />
      <FilterBar
        {...filterBarOf(periodControls, { query, set })}
        onReset={() => set({ startDate: undefined, endDate: undefined })}
        end={
          <Segmented
            label="Unité"
            value={query.unit}
            onChange={(unit) => set({ unit })}
            options={unitOptions}
          />
        }
      />
      {series.length === 0 ? (
        <EmptyState
          title="Aucune série choisie"
          action={<Suggestions onChoose={(next) => set({ series: seriesText(next) })} />}
        >
          Choisissez un produit et un marché, puis «&#8239;Ajouter la série&#8239;»&nbsp;: sa courbe
          s’affichera ici.
        </EmptyState>
      ) : answer.error && !answer.data ? (
        <LoadFailure title="Erreur lors du chargement de la comparaison" answer={answer} />
      ) : (
        <>
          <ComparedSeries
            comparison={answer.data}
            refetching={answer.isPlaceholderData}
            unit={query.unit}
            days={days}
          />
          <Gaps comparison={answer.data} />
        </>
      )}
    </>
  )
}
