import type { WeeklySeries } from '#features/figures/price-index/normal-equations.rules.ts'
import { student975 } from '#features/figures/price-index/student.rules.ts'
import {
  clustersOf,
  type Fit,
  fitTimeProductDummy,
  weightOfMean,
} from '#features/figures/price-index/time-product-dummy.rules.ts'

/** Number of weeks fitted together: a year plus the week it is compared with. */
export const windowWeeks = 53
/** Number of last weeks of an index that later prices may still revise. */
export const provisionalWeeks = 8

/** The change of prices between two weeks, or two windows of days. */
export type Movement = {
  /** A fraction: 0.018 is +1.8 %. */
  value: number
  /** Half the width of the 95 % interval of ln(1 + value); null where it cannot be measured. */
  margin: number | null
  /** The margin that decides the trend (`marginsOf`); null where `margin` is. */
  trendMargin: number | null
  series: number
  products: number
}

/** Fewest series and fewest products on which a change may rest without a warning. */
export const fewestSeries = 5
export const fewestProducts = 3

/** Whether a change rests on too few prices to be shown without a warning. */
export function isThin({ series, products }: Pick<Movement, 'series' | 'products'>): boolean {
  return series < fewestSeries || products < fewestProducts
}

/** Assigns to series the weights in force in a week of the panel. */
export type Weigh = (series: readonly WeeklySeries[], week: number) => readonly WeeklySeries[]

/**
 * Fits the window that ends with a week (all weeks up to it when there are fewer); weeks are counted from the first
 * one.
 */
export function fitWindow(
  panel: readonly WeeklySeries[],
  week: number,
  weigh: Weigh,
  weeks = windowWeeks,
): Fit {
  const first = Math.max(0, week + 1 - weeks)
  const length = week + 1 - first
  return fitTimeProductDummy(weigh(cutWeeks(panel, first, length), week), length)
}

/** Returns the weeks `first` … `first + weeks − 1` of a panel, renumbered from 0. */
export function cutWeeks<Series extends WeeklySeries>(
  panel: readonly Series[],
  first: number,
  weeks: number,
): readonly Series[] {
  return panel.map((series) => {
    const inside = Array.from(series.weeks, (week, at) => ({ week: week - first, at })).filter(
      ({ week }) => week >= 0 && week < weeks,
    )
    return {
      ...series,
      weeks: inside.map(({ week }) => week),
      logs: inside.map(({ at }) => series.logs[at] as number),
    }
  })
}

/**
 * Computes the change of an index between two of its weeks. Its standard error is the exact sandwich, clustered by
 * product, or by market for a single product: SE² = G/(G − 1) · Σ over the clusters of (c·u)², c = A⁻¹(e(to) − e(from))
 * and u the score of a cluster. If series were treated as independent, intervals of 95 % would cover only 65 to 95 %.
 *
 * @returns null where one of the weeks has no value
 */
export function movementBetween(fit: Fit, from: number, to: number): Movement | null {
  const [before, after] = [fit.levels[from] ?? null, fit.levels[to] ?? null]
  if (before === null || after === null) return null
  const difference = new Float64Array(fit.levels.length)
  difference[to] = 1
  difference[from] = from === to ? 0 : -1
  const influence = fit.solve(difference)
  const clusterOf = clustersOf(fit.series)
  const clusters = new Map<number, { pull: number; isQuoted: Set<number> }>()
  for (const each of fit.series) {
    const own = clusters.get(clusterOf(each)) ?? { pull: 0, isQuoted: new Set() }
    clusters.set(clusterOf(each), own)
    const v = weightOfMean(each)
    for (let i = 0; i < each.weeks.length; i++) {
      const week = each.weeks[i] as number
      own.pull += v * (influence[week] as number) * (each.residuals[i] as number)
      if (week === from || week === to) own.isQuoted.add(week)
    }
  }
  const all = [...clusters.values()]
  const quotedIn = (week: number) => all.filter(({ isQuoted }) => isQuoted.has(week)).length
  return {
    value: Math.expm1(after - before),
    ...marginsOf({
      clusters: all.length,
      quoted: Math.min(quotedIn(from), quotedIn(to)),
      squares: all.reduce((sum, { pull }) => sum + pull * pull, 0),
    }),
    series: fit.series.length,
    products: new Set(fit.series.map(({ product }) => product)).size,
  }
}

/** A margin below this is a rounding error of zero. */
const nought = 1e-6

/**
 * Computes the margin of a change of ln I, Student(97.5 %, G − 1) · √(G/(G − 1) · squares) for G clusters; and the
 * margin that decides the trend, with Student(97.5 %, g − 1) for the g clusters quoted in the sparser of the two weeks.
 * Where quotes are rare a week rests on few of the clusters: with the first margin alone, a trend would be reported in
 * ten of a hundred windows without any.
 *
 * @param squares Σ over the clusters of the squared contribution of each to the error of the change
 * @returns null for both where a week rests on one cluster, whose error cannot be measured, and where all clusters move
 *   alike: a margin of zero would be false precision
 */
export function marginsOf({
  clusters,
  quoted,
  squares,
}: {
  clusters: number
  quoted: number
  squares: number
}): Pick<Movement, 'margin' | 'trendMargin'> {
  const error = quoted < 2 ? 0 : Math.sqrt((clusters / (clusters - 1)) * Math.max(0, squares))
  if (error < nought) return { margin: null, trendMargin: null }
  return { margin: student975(clusters - 1) * error, trendMargin: student975(quoted - 1) * error }
}

/** Returns the ends of the 95 % interval of a change, in percent. */
export function percentInterval(change: { value: number; margin: number }): [low: number, high: number] {
  const log = Math.log1p(change.value)
  return [100 * Math.expm1(log - change.margin), 100 * Math.expm1(log + change.margin)]
}

/** Returns the width (days) of each of the two windows compared for a single series over a period (days). */
export function daysCompared(period: number): number {
  if (period <= 30) return 7
  return period <= 90 ? 15 : 30
}

/**
 * Computes the change of one series between two windows of days: the geometric mean of the later prices over that of
 * the earlier ones. Its margin is Student's for two means with a common variance, and null with fewer than two prices
 * in a window.
 *
 * @param before natural logarithms of the prices of the earlier window
 * @returns null when either window is empty
 */
export function movementOfSeries(before: readonly number[], after: readonly number[]): Movement | null {
  if (before.length === 0 || after.length === 0) return null
  const value = Math.expm1(meanOf(after) - meanOf(before))
  const one = { value, series: 1, products: 1 }
  if (before.length < 2 || after.length < 2) return { ...one, margin: null, trendMargin: null }
  const freedom = before.length + after.length - 2
  // Equal quotes within each window would give a margin of zero, which is not shown.
  const pooled = Math.sqrt((squaresAround(before) + squaresAround(after)) / freedom)
  const margin = student975(freedom) * pooled * Math.sqrt(1 / before.length + 1 / after.length)
  const shown = margin < nought ? null : margin
  return { ...one, margin: shown, trendMargin: shown }
}

/**
 * Widest margin of a « stable » change: a change whose margin includes zero is stable up to this, and undecided beyond.
 */
const widestStable = 0.05

/**
 * Returns the trend of a change: up or down where it is beyond ± 1 % and both of its margins exclude zero; stable where
 * it is within 1 %, or where its margin includes zero and is at most 5 points. Null where there is no change or no
 * margin, where the margin is wider, and where only one of the two margins excludes zero.
 */
export function trendOf(
  movement: Pick<Movement, 'value' | 'margin' | 'trendMargin'> | null,
): 'up' | 'down' | 'stable' | null {
  if (movement === null || movement.margin === null || movement.trendMargin === null) return null
  const { value, margin, trendMargin } = movement
  const size = Math.abs(Math.log1p(value))
  if (size <= margin) return margin <= widestStable ? 'stable' : null
  if (Math.abs(value) <= 0.01) return 'stable'
  if (size <= trendMargin) return null
  return value > 0 ? 'up' : 'down'
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function squaresAround(values: readonly number[]): number {
  const mean = meanOf(values)
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
}
