import { chartsOf, type Grouping, groupingOf } from '#features/comparison/charts.rules.ts'
import { compareSeries, comparisonPage, type Unit } from '#features/comparison/comparison.contract.ts'
import { ComparedSeries } from '#features/comparison/ui/compared-series.tsx'
import { Gaps } from '#features/comparison/ui/gaps.tsx'
import { SeriesGrid } from '#features/comparison/ui/series-grid.tsx'
import { Suggestions } from '#features/comparison/ui/suggestions.tsx'
import { mostSeries } from '#features/prices/series/series.contract.ts'
import { seriesIn, seriesText } from '#features/prices/series/series.rules.ts'
import { today } from '#features/prices/ui/price-selection.ts'
import { ViewsMenu } from '#features/saved-views/ui/views-menu.tsx'
import { addDays } from '#shared/days.ts'
import type { DayRange } from '#shared/fields.ts'
import { filterBarOf } from '#web/crud/filters.tsx'
import { periodControls } from '#web/forms/day-filter.tsx'
import { usePageState } from '#web/list-state.ts'
import { LoadFailure, RefreshFailure } from '#web/load-failure.tsx'
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

const groupingOptions: readonly { value: Grouping; label: string; name: string }[] = [
  { value: 'all', label: 'Ensemble', name: 'Toutes les séries sur un graphique' },
  { value: 'product', label: 'Par produit', name: 'Un graphique par produit' },
  { value: 'market', label: 'Par marché', name: 'Un graphique par marché' },
]

const presets = [
  { value: '30', label: '30 j', name: '30 derniers jours' },
  { value: '90', label: '90 j', name: '90 derniers jours' },
  { value: '365', label: '1 an', name: '12 derniers mois' },
  { value: '730', label: '2 ans', name: '24 derniers mois' },
  { value: 'all', label: 'Tout', name: 'Depuis le premier relevé' },
]

/** « Comparaison »: up to twelve series, selected in a grid and stored in the address. */
export function ComparisonPage() {
  const { query: shown, set } = usePageState(comparisonPage)
  const { by, ...query } = shown
  const series = seriesIn(query.series)
  const days = { startDate: query.startDate, endDate: query.endDate }
  const answer = useAnswer(compareSeries, { query }, { keepsPrevious: true, enabled: series.length > 0 })
  const drawn = series.length > 0 ? (answer.data?.data ?? []) : []
  const grouping = groupingOf(drawn, by)
  const charts = chartsOf(drawn, grouping)
  const colours = new Map(
    charts.flatMap((chart) => chart.series.map((one) => [`${one.product.id}-${one.market.id}`, one.colour])),
  )
  return (
    <>
      <PageHeader
        title="Comparaison"
        actions={<ViewsMenu />}
        description={`Cochez un produit, un marché ou une case\u00a0: ${mostSeries} séries au plus. L’adresse de la page garde votre choix.`}
      />
      <SeriesGrid
        series={series}
        onChoose={(next) => set({ series: seriesText(next) })}
        colourOf={({ productId, marketId }) => colours.get(`${productId}-${marketId}`)}
      />
      <FilterBar
        {...filterBarOf(periodControls, { query, set })}
        onReset={() => set({ startDate: undefined, endDate: undefined })}
        end={
          <div className="flex flex-wrap gap-3">
            <Segmented
              label="Période"
              value={presetOf(days)}
              onChange={(preset) =>
                set({
                  startDate: preset === 'all' ? undefined : addDays(today(), 1 - Number(preset)),
                  endDate: undefined,
                })
              }
              options={presets}
            />
            <Segmented
              label="Graphiques"
              value={grouping}
              onChange={(next) => set({ by: next })}
              options={groupingOptions}
            />
            <Segmented
              label="Unité"
              value={query.unit}
              onChange={(unit) => set({ unit })}
              options={unitOptions}
            />
          </div>
        }
      />
      {series.length === 0 ? (
        <EmptyState
          title="Aucune série choisie"
          action={<Suggestions onChoose={(next) => set({ series: seriesText(next) })} />}
        >
          Ajoutez un produit et un marché&nbsp;: la courbe s’affichera ici.
        </EmptyState>
      ) : answer.error && !answer.data ? (
        <LoadFailure title="Erreur lors du chargement de la comparaison" answer={answer} />
      ) : (
        <>
          {answer.isError && answer.data && <RefreshFailure answer={answer} />}
          <ComparedSeries
            comparison={answer.data}
            charts={charts}
            grouping={grouping}
            refetching={answer.isPlaceholderData}
            query={shown}
          />
          <Gaps comparison={answer.data} />
        </>
      )}
    </>
  )
}

/** Returns the preset that a range of days corresponds to; an empty string for other days. */
function presetOf({ startDate, endDate }: DayRange): string {
  if (!startDate) return endDate ? '' : 'all'
  if (endDate) return ''
  return presets.find(({ value }) => startDate === addDays(today(), 1 - Number(value)))?.value ?? ''
}
