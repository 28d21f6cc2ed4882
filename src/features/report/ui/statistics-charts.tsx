import type { ReactNode } from 'react'
import { listOf } from '#features/prices/listed.rules.ts'
import { indexPeriod, useEvolution } from '#features/prices/ui/evolution.tsx'
import { isFaint, isStale } from '#features/prices/ui/price-movement.tsx'
import { axisEnd } from '#features/prices/ui/price-selection.ts'
import type { useSummary } from '#features/prices/ui/summary.ts'
import { statisticsAddresses } from '#features/statistics/statistics.addresses.ts'
import type {
  getBrandRanking,
  getCategoryDistribution,
  getMarketActivity,
} from '#features/statistics/statistics.contract.ts'
import {
  brandsListed,
  categoriesListed,
  collectedByCurrency,
  namedApart,
} from '#features/statistics/statistics.rules.ts'
import type { StatisticsSelection } from '#features/statistics/ui/statistics-selection.ts'
import { formatCount } from '#web/format.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { useAnswer } from '#web/query.ts'
import { BarChart } from '#web/ui/charts/bar-chart.tsx'
import { LineChart } from '#web/ui/charts/line-chart.tsx'
import { PieChart } from '#web/ui/charts/pie-chart.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

type StatisticsChartsProps = {
  selection: StatisticsSelection
  summary: ReturnType<typeof useSummary>
}

const keepsPrevious = { keepsPrevious: true }
const currencies = { CDF: 'Franc congolais', USD: 'Dollar américain' }
const inPrices = (count: number) => formatCount(count, 'relevé', 'relevés')
const inProducts = (count: number) => formatCount(count, 'produit', 'produits')

const asItem = ({ count, ...listed }: ReturnType<typeof categoriesListed>[number]) => ({
  ...listed,
  value: count,
})

const noProducts = (
  <EmptyState compact title="Aucun produit trouvé">
    Le catalogue n’a aucun produit, ou les filtres n’en laissent aucun.
  </EmptyState>
)

/** Shows the charts; each one loads, fails and is empty on its own. */
export function StatisticsCharts({ selection, summary }: StatisticsChartsProps) {
  const { chosen, dated, rows, periodText } = selection
  const markets = useAnswer<typeof getMarketActivity>(
    statisticsAddresses.markets,
    { query: { ...dated, limit: 5 } },
    keepsPrevious,
  )
  const categories = useAnswer<typeof getCategoryDistribution>(
    statisticsAddresses.categories,
    { query: dated },
    keepsPrevious,
  )
  const brands = useAnswer<typeof getBrandRanking>(
    statisticsAddresses.brands,
    { query: { ...dated, limit: 200 } },
    keepsPrevious,
  )
  const evolution = useEvolution(summary.data)
  // While it loads, assumes the chart that the filters usually lead to.
  const isOfMany = summary.data ? evolution.isIndex : chosen.productId === undefined
  const source = {
    count: summary.data?.isEstimate ? undefined : summary.data?.totalPrices,
    last: summary.data?.lastCollectedAt,
    href: listOf(rows),
  }
  const frame = (answer: Loading, title: string, info: ReactNode) => ({
    title,
    definition: '/methode#plateforme',
    subtitle: periodText,
    loading: answer.isPending,
    refetching: answer.isPlaceholderData,
    error: answer.error && answer.isPending === false && !answer.data && (
      <LoadFailure compact title="Erreur lors du chargement du graphique" answer={answer} />
    ),
    info,
    source,
  })
  return (
    <div className="grid gap-4 *:lg:col-span-3 lg:grid-cols-6">
      <LineChart
        {...frame(
          summary,
          isOfMany ? 'Indice des prix par semaine' : 'Prix moyen par jour',
          'Moyenne des prix relevés chaque jour, en francs au taux du jour. Un jour sans relevé est un trou. De plusieurs produits, cette moyenne suit aussi ce qui est collecté\u00a0: l’indice n’a pas ce défaut.',
        )}
        subtitle={evolution.isIndex ? indexPeriod(periodText, summary.data) : periodText}
        isFaint={summary.data && isFaint(summary.data)}
        {...evolution.line}
        until={axisEnd(dated)}
        className="lg:col-span-6! xl:col-span-4!"
        area={!evolution.isIndex}
        actions={evolution.chooser}
      />
      <PieChart
        {...frame(
          summary,
          'Prix par devise',
          'Dans quelle monnaie les prix de la sélection ont été relevés.',
        )}
        source={{ ...source, count: source.count && source.count + (summary.data?.excluded ?? 0) }}
        className="lg:col-span-6! xl:col-span-2!"
        columns={['Devise', 'Relevés']}
        formatValue={inPrices}
        nameLength={20}
        items={(summary.data ? collectedByCurrency(summary.data) : []).map(({ currency, count }) => ({
          key: currency,
          name: currencies[currency],
          value: count,
          href: listOf({ ...rows, currency }),
        }))}
      />
      <BarChart
        {...frame(
          markets,
          '5 premiers marchés',
          'Les marchés où le plus de prix de la sélection ont été relevés.',
        )}
        subtitle={`${periodText}, en relevés`}
        columns={['Marché', 'Relevés']}
        items={namedApart(markets.data?.data ?? [], ({ location }) => location).map(
          ({ id, name, count, lastCollectedOn }) => ({
            key: String(id),
            name,
            values: [count],
            href: listOf({ ...rows, marketId: id }),
            isFaint: isStale(lastCollectedOn),
          }),
        )}
      />
      <BarChart
        {...frame(
          summary,
          '5 premiers produits',
          'Les produits dont le plus de prix de la sélection ont été relevés et convertis en francs.',
        )}
        subtitle={`${periodText}, en relevés`}
        columns={['Produit', 'Relevés']}
        items={namedApart((summary.data?.productDistribution ?? []).slice(0, 5), ({ weight }) => weight).map(
          ({ id, name, count }) => ({
            key: String(id),
            name,
            values: [count],
            href: listOf({ ...dated, productId: id }),
          }),
        )}
      />
      <PieChart
        {...frame(
          categories,
          'Produits par catégorie',
          'Produits du catalogue, selon le produit, la catégorie et la marque choisis\u202f; la période et le marché n’y changent rien.',
        )}
        subtitle="Au catalogue"
        source={{}}
        empty={noProducts}
        columns={['Catégorie', 'Produits']}
        formatValue={inProducts}
        items={categoriesListed(categories.data?.data ?? [], chosen).map(asItem)}
      />
      <PieChart
        {...frame(
          brands,
          'Produits par marque',
          'Les marques qui ont le plus de produits au catalogue, selon le produit, la catégorie et la marque choisis.',
        )}
        subtitle="Au catalogue"
        source={{}}
        empty={noProducts}
        columns={['Marque', 'Produits']}
        formatValue={inProducts}
        nameLength={12}
        items={brands.data ? brandsListed(brands.data, chosen).map(asItem) : []}
      />
    </div>
  )
}

type Loading = {
  data: unknown
  error: Error | null
  isPending: boolean
  isFetching: boolean
  isPlaceholderData: boolean
  refetch: () => unknown
}
