import { useMemo } from 'react'
import { addressOfChart, type ChartOfSeries, type Grouping } from '#features/comparison/charts.rules.ts'
import type { Comparison, ComparisonPageQuery, Unit } from '#features/comparison/comparison.contract.ts'
import { labelsOf, placeOf, sharedBy } from '#features/comparison/labels.rules.ts'
import { type ComparedSeriesKey, seriesText } from '#features/prices/series/series.rules.ts'
import { FigureData } from '#features/prices/ui/figure-data.tsx'
import { excludedText } from '#features/prices/ui/price-movement.tsx'
import { axisEnd, daysText } from '#features/prices/ui/price-selection.ts'
import { ShareAndCite } from '#features/shares/ui/share-and-cite.tsx'
import { addDays } from '#shared/days.ts'
import { capitalise, formatDate, formatMoney, formatTenths } from '#web/format.ts'
import { LineChart } from '#web/ui/charts/line-chart.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

type ComparedSeriesProps = {
  comparison: Comparison | undefined
  charts: readonly ChartOfSeries[]
  grouping: Grouping
  refetching: boolean
  /** The whole query of the page. */
  query: ComparisonPageQuery
}

const measures: Record<Unit, string> = { CDF: 'FC', USD: '$US', index: 'indice' }
const titles: Record<Unit, string> = {
  CDF: 'Prix moyen de chaque jour, en francs',
  USD: 'Prix moyen de chaque jour, en dollars',
  index: 'Indice du prix moyen de chaque jour',
}

/** Shows the charts of the series, each with its table, image and CSV; several charts are in two columns. */
export function ComparedSeries({ comparison, charts, grouping, ...shown }: ComparedSeriesProps) {
  const isOne = charts.length <= 1
  const excluded = comparison?.excluded ?? 0
  return (
    <div className={isOne ? 'space-y-2' : 'grid gap-4 xl:grid-cols-2'}>
      {excluded > 0 && (
        <p className="text-ink-soft xl:col-span-full" role="note">{`${excludedText(excluded)}.`}</p>
      )}
      {(isOne ? [charts[0]] : charts).map((chart) => (
        <SeriesChart
          key={chart?.key ?? ''}
          comparison={comparison}
          own={chart?.series ?? []}
          title={isOne || !chart ? titles[shown.query.unit] : titleOf(chart, grouping, shown.query.unit)}
          height={isOne ? 'md' : 'sm'}
          grouping={grouping}
          {...shown}
        />
      ))}
    </div>
  )
}

/**
 * Returns for example « Riz local, 1 kg : 3 100 FC à Bukavu, 3 600 FC à Goma », from the last prices; only the name
 * without prices, or for an index.
 */
function titleOf({ series }: ChartOfSeries, grouping: Grouping, unit: Unit): string {
  const [first] = series
  if (!first) return titles[unit]
  const { product, market } = first
  const isOfProduct = series.every((one) => one.product.id === product.id)
  const isOfMarket = series.every((one) => one.market.id === market.id)
  const [named, place] = [`${product.name}, ${product.weight}`, placeOf(market)]
  if (isOfProduct && isOfMarket)
    return grouping === 'market' ? `${place}\u00a0: ${named}` : `${named}\u00a0: ${place}`
  if (!isOfProduct) return isOfMarket ? place : titles[unit]
  const isOfOneTown = series.every((one) => one.market.location === market.location)
  const newest =
    series
      .flatMap(({ lastDay }) => lastDay ?? [])
      .toSorted()
      .at(-1) ?? ''
  const last = series
    .flatMap(({ market, lastDay, points }) => {
      const point = points.at(-1)
      return point && lastDay && newest && lastDay >= addDays(newest, -freshDays)
        ? [{ place: isOfOneTown ? market.name : market.location, value: point.value }]
        : []
    })
    .toSorted((a, b) => a.value - b.value)
  const [low, high] = [last[0], last.at(-1)]
  if (unit === 'index' || !low || !high || low === high) return named
  const said = ({ value, place }: typeof low) =>
    `${formatMoney(unit === 'CDF' ? Math.round(value) : value, unit)} à ${place}`
  return `${named}\u00a0: ${said(low)}, ${said(high)}`
}

/** Days after which a last price is too old to be compared with a newer one. */
const freshDays = 14

type SeriesChartProps = Omit<ComparedSeriesProps, 'charts'> & {
  own: ChartOfSeries['series']
  title: string
  height: 'sm' | 'md'
}

function SeriesChart({ comparison, own: all, title, height, grouping, refetching, query }: SeriesChartProps) {
  const { unit, startDate, endDate } = query
  const days = { startDate, endDate }
  const series = useMemo(() => {
    const labels = labelsOf(all)
    return all.map(({ product, market, points, colour }, i) => ({
      key: `${product.id}-${market.id}`,
      label: labels[i] ?? '',
      points,
      colour,
    }))
  }, [all])
  const besides = useMemo(() => {
    const rates = new Map((comparison?.rates ?? []).map(({ date, ...rate }) => [date, rate]))
    if (rates.size === 0) return []
    return [
      { title: 'CDF pour 1 USD', of: (date: string) => rates.get(date)?.cdfPerUsd ?? null },
      { title: 'Jour du taux', of: (date: string) => rates.get(date)?.day ?? null },
    ]
  }, [comparison])
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
      title={title}
      height={height}
      definition="/methode#comparaison"
      subtitle={[height === 'md' && sharedBy(all), capitalise(daysText(days)), base]
        .filter(Boolean)
        .join('. ')}
      unit={measures[unit]}
      formatValue={unit === 'index' ? formatTenths : undefined}
      series={series}
      // Markets are visited every few days: only a longer silence is drawn as a gap.
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
          <>
            <ShareAndCite
              title={[title, ...(all.length > 3 ? [] : labelsOf(all)), daysText(days)].join(', ')}
              address={addressOfChart(query, grouping, all.map(keyOf))}
            />
            <FigureData rows={{ ...days, series: seriesText(all.map(keyOf)) }} />
          </>
        )
      }
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
