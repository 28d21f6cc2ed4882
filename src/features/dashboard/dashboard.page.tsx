import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { alertAddresses } from '#features/alerts/alerts.addresses.ts'
import type { alerts } from '#features/alerts/alerts.contract.ts'
import type {
  DashboardFigures,
  getDashboard,
  getDashboardChanges,
} from '#features/dashboard/dashboard.contract.ts'
import { FirstSteps } from '#features/dashboard/ui/first-steps.tsx'
import { OwnWork, Waiting } from '#features/dashboard/ui/own-work.tsx'
import { PriceAlerts } from '#features/dashboard/ui/price-alerts.tsx'
import { Ranking } from '#features/dashboard/ui/ranking.tsx'
import { RealTimePrices } from '#features/dashboard/ui/real-time-prices.tsx'
import { WaysOn } from '#features/dashboard/ui/ways-on.tsx'
import { LargestMoves } from '#features/follows/ui/largest-moves.tsx'
import { OwnPrices } from '#features/follows/ui/own-prices.tsx'
import { listOf } from '#features/prices/listed.rules.ts'
import { indexPeriod, useIndexLine } from '#features/prices/ui/evolution.tsx'
import { type Followed, useLivePrices } from '#features/prices/ui/live-prices.ts'
import { LiveStatus } from '#features/prices/ui/live-status.tsx'
import { isFaint, isStale } from '#features/prices/ui/price-movement.tsx'
import { ViewsMenu } from '#features/saved-views/ui/views-menu.tsx'
import { statisticsAddresses } from '#features/statistics/statistics.addresses.ts'
import { AnalysisCard } from '#features/statistics/ui/analysis-card.tsx'
import { isBlankPlatform, WhyEmpty } from '#features/statistics/ui/blank-platform.tsx'
import { KeyFigures } from '#features/statistics/ui/key-figures.tsx'
import { PeriodButtons, StatisticsFilters } from '#features/statistics/ui/statistics-filters.tsx'
import {
  type StatisticsSelection,
  useStatisticsSelection,
} from '#features/statistics/ui/statistics-selection.ts'
import type { NavGroup } from '#web/layouts/sidebar.tsx'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { useMay, useUser } from '#web/session.ts'
import { buttonClass } from '#web/ui/button-class.ts'
import { CardSkeleton } from '#web/ui/card-skeleton.tsx'
import { LineChart } from '#web/ui/charts/line-chart.tsx'
import { useMediaQuery } from '#web/ui/media-query.ts'
import { PageHeader } from '#web/ui/page-header.tsx'

const path = statisticsAddresses.dashboard.path
// Width (CSS media query) from which the period is beside the title, so that the filters fit on one row.
const wideScreen = '(min-width: 80rem)'

/** The home page: the figures of the selection, and the usual tasks of the user. */
export function DashboardPage({ groups }: { groups: readonly NavGroup[] }) {
  const { name } = useUser()
  const may = useMay()
  const canRead = may('statistics.read')
  const canAdd = may(['prices.write', 'prices.collect'])
  const selection = useStatisticsSelection()
  const isWide = useMediaQuery(wideScreen)
  return (
    <>
      <PageHeader
        title={`Bonjour ${name}`}
        description={
          canRead
            ? 'Les prix des marchés, tels qu’ils arrivent.'
            : 'Voici ce que vous pouvez consulter et gérer.'
        }
        actions={
          canRead && (
            <>
              {isWide && <PeriodButtons selection={selection} />}
              <ViewsMenu />
            </>
          )
        }
        primary={
          canAdd && (
            <Link to="/prices/add" className={buttonClass('primary')}>
              <Plus className="size-4" aria-hidden />
              Ajouter un prix
            </Link>
          )
        }
      />
      {canRead ? <Figures selection={selection} hasPeriod={!isWide} /> : <WaysOn groups={groups} />}
    </>
  )
}

type FiguresProps = { selection: StatisticsSelection; hasPeriod: boolean }

function Figures({ selection, hasPeriod }: FiguresProps) {
  const { id } = useUser()
  const may = useMay()
  // Administrators only see this card once they have collected prices.
  const isCollector = may(['prices.collect', 'prices.write']) && !may('users.manage')
  const { query } = selection
  const answer = useAnswer<typeof getDashboard>(
    statisticsAddresses.dashboard,
    { query },
    { keepsPrevious: true },
  )
  const live = useLivePrices(followed(query))
  if (answer.error && !answer.data) {
    return (
      <>
        <StatisticsFilters selection={selection} hasPeriod={hasPeriod} />
        <LoadFailure title="Erreur lors du chargement du tableau de bord" answer={answer} />
      </>
    )
  }
  const { chosen, dated } = selection
  // Staff may read prices without a plan.
  const isSubscriber = !may('access.exempt')
  const blank = answer.data !== undefined && isBlankPlatform(answer.data.overview, chosen)
  if (answer.data && blank) return <FirstSteps {...answer.data.overview} />
  return (
    <>
      <Waiting waiting={answer.data?.waiting} />
      {(answer.data ? answer.data.own : isCollector) && (
        <div data-comes-first>
          <OwnWork
            own={answer.data?.own ?? undefined}
            periodText={selection.periodText}
            rowsOf={(days) => listOf({ ...days, writtenBy: id })}
            days={{ startDate: dated.startDate, endDate: dated.endDate }}
          />
        </div>
      )}
      {isSubscriber && (
        <div className="grid items-start gap-4 lg:grid-cols-2" data-comes-first>
          <MyPrices />
          <LargestMoves />
        </div>
      )}
      <StatisticsFilters selection={selection} hasPeriod={hasPeriod} />
      <KeyFigures
        overview={answer.data?.overview}
        refetching={answer.isPlaceholderData}
        selection={selection}
      />
      <div
        className={`grid grid-cols-1 gap-4 lg:grid-cols-2 xl:grid-cols-6 ${answer.isPlaceholderData ? 'opacity-55' : ''}`}
        aria-busy={answer.isPending || answer.isPlaceholderData || undefined}
      >
        {answer.data ? (
          <WhyEmpty isEstimate={answer.data.overview.prices.isEstimate}>
            <Panels
              figures={answer.data}
              selection={selection}
              status={<LiveStatus live={live} shownAt={answer.dataUpdatedAt} />}
              isFresh={live.isFresh}
            />
          </WhyEmpty>
        ) : (
          panels.map(([panel, span]) => <CardSkeleton key={panel} className={`min-h-96 ${span}`} />)
        )}
      </div>
    </>
  )
}

/** « Mes prix », with the user's alerts. */
function MyPrices() {
  const { data } = useAnswer<typeof alerts.list>(alertAddresses.list, {})
  return (
    <OwnPrices
      isRinging={(follow) =>
        data?.data.some(
          (rule) =>
            rule.isRinging && rule.productId === follow.productId && rule.marketId === follow.marketId,
        ) ?? false
      }
    />
  )
}

const spans = {
  two: 'xl:col-span-2',
  three: 'xl:col-span-3',
  four: 'lg:max-xl:row-start-1 lg:max-xl:col-span-2 xl:col-span-4',
}
const panels = [
  ['analysis', spans.two],
  ['index', spans.four],
  ['latest', spans.three],
  ['alerts', spans.three],
] as const

/** Cache time (ms) of changes of prices, which take longer than everything else. */
const changesLastMs = 5 * 60_000

type PanelsProps = {
  figures: DashboardFigures
  selection: StatisticsSelection
  status: ReactNode
  isFresh: (id: number) => boolean
}

/** Shows the figures and charts of prices, then the collectors, markets and products behind them. */
function Panels({ figures, selection, status, isFresh }: PanelsProps) {
  const { rows, dated } = selection
  const { latest, analysis, markets, collectors, products, alerts } = figures
  const changes = useAnswer<typeof getDashboardChanges>(
    statisticsAddresses.dashboardChanges,
    { query: dated },
    { keepsPrevious: true, staleTimeMs: changesLastMs },
  )
  const index = useIndexLine(analysis)
  const uncounted = analysis.isEstimate ? 'Non calculé' : undefined
  return (
    <>
      <AnalysisCard
        analysis={analysis}
        periodText={selection.periodText}
        rows={rows}
        isLed
        className={spans.two}
      />
      <LineChart
        title="Indice des prix par semaine"
        subtitle={indexPeriod(selection.periodText, analysis)}
        {...index}
        source={{
          count: analysis.isEstimate ? undefined : analysis.totalPrices,
          last: analysis.lastCollectedAt,
          href: listOf(rows),
        }}
        isFaint={isFaint(analysis)}
        className={spans.four}
      />
      <RealTimePrices
        prices={latest}
        rows={dated}
        status={status}
        isFresh={isFresh}
        className={spans.three}
      />
      <PriceAlerts alerts={alerts} selection={selection} className={spans.three} />
      <Ranking
        title="Marchés les plus actifs"
        definition="Les marchés où le plus de prix de la sélection ont été relevés, la variation de leurs prix, et combien de relevés de plus ou de moins que pendant la période précédente."
        nothing={uncounted ?? 'Aucun marché trouvé'}
        places={markets.map(({ id, name, location, count, difference, lastCollectedOn }) => ({
          key: id,
          name,
          detail: location,
          last: lastCollectedOn,
          isFaint: isStale(lastCollectedOn),
          count,
          difference,
          price: changes.data?.markets.find((each) => each.id === id),
          to: '/prices',
          search: { ...rows, marketId: id },
        }))}
      />
      <Ranking
        title="Meilleurs collecteurs"
        definition="Ceux qui ont relevé le plus de prix de la sélection."
        nothing={uncounted ?? 'Aucun utilisateur trouvé'}
        places={collectors.map(({ name, count, lastCollectedAt }) => ({
          key: name,
          name,
          last: lastCollectedAt,
          isFaint: isStale(lastCollectedAt),
          count,
          to: '/prices',
          search: { ...rows, collector: name },
        }))}
      />
      <Ranking
        title="Produits les plus suivis"
        definition="Les produits dont le plus de prix de la sélection ont été relevés, la variation de leur prix, et combien de relevés de plus ou de moins que pendant la période précédente."
        nothing={uncounted ?? 'Aucune donnée de prix disponible'}
        places={products.map(({ id, name, weight, format, count, difference, lastCollectedOn }) => ({
          key: id,
          name,
          detail: `${weight} · ${format}`,
          last: lastCollectedOn,
          isFaint: isStale(lastCollectedOn),
          count,
          difference,
          price: changes.data?.products.find((each) => each.id === id),
          to: '/prices',
          search: { ...dated, productId: id },
        }))}
      />
    </>
  )
}

function followed(query: StatisticsSelection['query']): Followed {
  return {
    path,
    query,
    read: (answer) => {
      const { latest, overview } = answer as DashboardFigures
      return { ids: latest.map(({ id }) => id), total: overview.prices.total, isLatest: true }
    },
  }
}
