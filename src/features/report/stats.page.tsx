import { useSummary } from '#features/prices/ui/summary.ts'
import { PdfMenu } from '#features/report/made/ui/pdf-menu.tsx'
import { InflationCard } from '#features/report/ui/inflation-card.tsx'
import { PeriodButton } from '#features/report/ui/period-button.tsx'
import { StatisticsCharts } from '#features/report/ui/statistics-charts.tsx'
import { ViewsMenu } from '#features/saved-views/ui/views-menu.tsx'
import { statisticsAddresses } from '#features/statistics/statistics.addresses.ts'
import type { getOverview } from '#features/statistics/statistics.contract.ts'
import { shelvesListed } from '#features/statistics/statistics.rules.ts'
import { AnalysisCard } from '#features/statistics/ui/analysis-card.tsx'
import { isBlankPlatform, WhyEmpty } from '#features/statistics/ui/blank-platform.tsx'
import { KeyFigures } from '#features/statistics/ui/key-figures.tsx'
import { StatisticsFilters } from '#features/statistics/ui/statistics-filters.tsx'
import {
  type StatisticsSelection,
  useStatisticsSelection,
} from '#features/statistics/ui/statistics-selection.ts'
import { ExportMenu } from '#web/export-menu.tsx'
import { formatNumber } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { CardSkeleton } from '#web/ui/card-skeleton.tsx'
import { linkWithin } from '#web/ui/charts/link-within.tsx'
import { Counters } from '#web/ui/counters.tsx'
import { InfoPopover } from '#web/ui/info-popover.tsx'
import { useMediaQuery } from '#web/ui/media-query.ts'
import { PageHeader } from '#web/ui/page-header.tsx'

// On narrower screens the period is one of the collapsed filters.
const wideScreen = '(min-width: 64rem)'

/** « Statistiques avancées »: charts of the prices of a selection. */
export function StatsPage() {
  const selection = useStatisticsSelection()
  const { dated } = selection
  const isWide = useMediaQuery(wideScreen)
  const overview = useAnswer<typeof getOverview>(
    statisticsAddresses.overview,
    { query: dated },
    { keepsPrevious: true },
  )
  const summary = useSummary(dated)
  return (
    <>
      <PageHeader
        title="Statistiques avancées"
        description="Ce que disent les prix d’une sélection&nbsp;: leur niveau, leur mouvement, et ce sur quoi cela repose."
        actions={
          <>
            <ViewsMenu />
            {isWide && <PeriodButton selection={selection} />}
            <PdfMenu query={dated} />
            <ExportMenu endpoint={statisticsAddresses.report} query={dated} />
          </>
        }
      />
      <StatisticsFilters selection={selection} hasPeriod={!isWide} />
      {hasFailed(overview) && hasFailed(summary) ? (
        <LoadFailure title="Erreur lors du chargement des statistiques" answer={overview} />
      ) : (
        <Figures selection={selection} overview={overview} summary={summary} />
      )}
    </>
  )
}

type FiguresProps = {
  selection: StatisticsSelection
  overview: ReturnType<typeof useAnswer<typeof getOverview>>
  summary: ReturnType<typeof useSummary>
}

/** Shows the figures; each part that fails shows its own error. */
function Figures({ selection, overview, summary }: FiguresProps) {
  const { rows, periodText } = selection
  return (
    <>
      {hasFailed(overview) ? (
        <LoadFailure compact title="Erreur lors du chargement des chiffres" answer={overview} />
      ) : (
        <KeyFigures overview={overview.data} refetching={overview.isPlaceholderData} selection={selection} />
      )}
      <WhyEmpty
        blank={overview.data !== undefined && isBlankPlatform(overview.data, selection.chosen)}
        isEstimate={summary.data?.isEstimate}
      >
        {hasFailed(summary) ? (
          <LoadFailure compact title="Erreur lors du chargement des prix" answer={summary} />
        ) : (
          <div
            className={`grid grid-cols-1 gap-4 lg:grid-cols-3 ${summary.isPlaceholderData ? 'opacity-55' : ''}`}
            aria-busy={summary.isFetching || undefined}
          >
            {summary.data ? (
              <>
                <AnalysisCard
                  analysis={summary.data}
                  periodText={periodText}
                  rows={rows}
                  className="lg:col-span-2"
                />
                <InflationCard summary={summary.data} rows={rows} />
              </>
            ) : (
              ['lg:col-span-2', ''].map((span) => (
                <CardSkeleton key={span} className={`lg:min-h-72 ${span}`} />
              ))
            )}
          </div>
        )}
        <StatisticsCharts selection={selection} summary={summary} />
      </WhyEmpty>
      {!hasFailed(overview) && <Catalogue selection={selection} overview={overview} />}
    </>
  )
}

/** Shows the counts of the catalogue, whatever the days. */
function Catalogue({ selection, overview }: Pick<FiguresProps, 'selection' | 'overview'>) {
  const listed = shelvesListed(selection.chosen)
  return (
    <Counters
      label="Catalogue"
      loading={overview.data === undefined}
      refetching={overview.isPlaceholderData}
      items={[
        { key: 'categories', label: 'Catégories' } as const,
        { key: 'brands', label: 'Marques' } as const,
        { key: 'productTypes', label: 'Types de produits' } as const,
      ].map((item) => ({
        ...item,
        value: figure(overview.data?.[item.key].total, listed[item.key]),
        basis: 'Au catalogue',
        info: (
          <InfoPopover label={item.label} definition="/methode#plateforme">
            Au catalogue, selon le produit, la catégorie et la marque choisis&#8239;; la période et le marché
            n’y changent rien.
          </InfoPopover>
        ),
      }))}
    />
  )
}

function hasFailed({ error, data }: { error: Error | null; data: unknown }): boolean {
  return error !== null && data === undefined
}

function figure(total: number | undefined, href: string | null) {
  const text = formatNumber(total)
  return href === null ? text : linkWithin(href, text)
}
