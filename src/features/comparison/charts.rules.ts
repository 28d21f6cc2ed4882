import type { Comparison, ComparisonPageQuery } from '#features/comparison/comparison.contract.ts'
import { type ComparedSeriesKey, seriesText } from '#features/prices/series/series.rules.ts'
import { type ChartAddress, searchOf } from '#features/shares/shares.rules.ts'
import { groupBy } from '#shared/group-by.ts'

type Series = Comparison['data'][number]

/** How series are grouped in charts: all in one, one per product, or one per market. */
export const groupings = ['all', 'product', 'market'] as const
export type Grouping = (typeof groupings)[number]

/** Most lines that a reader can distinguish in a chart. */
const mostLines = 6
/** Number of colours available. */
const mostColours = 8

/** The series of a chart with their colours; `key` is what they have in common, if there are several. */
export type ChartOfSeries = { key: string; series: readonly (Series & { colour: number })[] }

/**
 * Returns the requested grouping, or the first one without a chart of more than six lines: all, by product, by market.
 */
export function groupingOf(series: readonly Series[], asked: Grouping | undefined): Grouping {
  if (asked) return asked
  return groupings.find((grouping) => largestGroup(series, grouping) <= mostLines) ?? 'product'
}

/**
 * Returns the charts of a grouping. A market has the same colour in all charts by product, a product in all charts by
 * market; a group of more than six lines is split into one chart per series.
 */
export function chartsOf(series: readonly Series[], grouping: Grouping): ChartOfSeries[] {
  const others = [...new Set(series.map((one) => otherKey(one, grouping)))]
  const coloured = series.map((one) => ({ ...one, colour: others.indexOf(otherKey(one, grouping)) }))
  return [...groupBy(coloured, (one) => groupKey(one, grouping))].flatMap(([key, own]) => {
    if (own.length > mostLines)
      return own.map((one) => ({ key: seriesKey(one), series: [{ ...one, colour: 0 }] }))
    const isShared = others.length > mostColours
    return [{ key, series: isShared ? own.map((one, colour) => ({ ...one, colour })) : own }]
  })
}

function largestGroup(series: readonly Series[], grouping: Grouping): number {
  const groups = groupBy(series, (one) => groupKey(one, grouping))
  return Math.max(0, ...[...groups.values()].map((own) => own.length))
}

function groupKey({ product, market }: Series, grouping: Grouping): string {
  return grouping === 'all' ? 'all' : grouping === 'product' ? `p${product.id}` : `m${market.id}`
}

/** Returns the key that distinguishes the lines of a chart. */
function otherKey(one: Series, grouping: Grouping): string {
  const { product, market } = one
  return grouping === 'all' ? seriesKey(one) : grouping === 'product' ? `m${market.id}` : `p${product.id}`
}

function seriesKey({ product, market }: Series): string {
  return `${product.id}-${market.id}`
}

/** Returns the address of the comparison page with a single chart. */
export function addressOfChart(
  query: ComparisonPageQuery,
  grouping: Grouping,
  series: readonly ComparedSeriesKey[],
): ChartAddress {
  const search = searchOf({ ...query, by: grouping, series: seriesText(series) })
  return { path: '/statistiques/comparaison', search }
}
