import {
  addSeries,
  emptyEquations,
  rowOf,
  type Solution,
  solveEquations,
  type WeeklySeries,
} from '#features/figures/price-index/normal-equations.rules.ts'
import { groupBy } from '#shared/group-by.ts'

/** A fitted panel: its weekly levels, and the series they rest on. */
export type Fit = Solution & {
  /** Series with a mean in at least two of the linked weeks: others tell nothing about a change. */
  series: readonly FittedSeries[]
}

export type FittedSeries = WeeklySeries & {
  /** Residual of each mean. */
  residuals: Float64Array
}

/**
 * Fits the time-product dummy index of a panel with gaps: least squares of y(i,w) = a(i) + d(w), d(base) = 0, where
 * every series counts equally: each of its n means has one nth of the weight of the series (Aizcorbe, Corrado and Doms
 * 2003; ILO and IMF, Consumer Price Index Manual 2020, chapter 10). Where every series is quoted in both of two weeks
 * it is the Jevons index between them.
 *
 * The base is the first week of the largest group of linked weeks (by number of means).
 *
 * @param weeks the number of weeks of the panel
 * @returns natural logarithms
 */
export function fitTimeProductDummy(panel: readonly WeeklySeries[], weeks: number): Fit {
  const equations = emptyEquations(weeks)
  for (const each of panel) addSeries(equations, each)
  const solution = solveEquations(equations)
  const { levels } = solution
  const series = panel.flatMap((each) => {
    const first = each.weeks[0] ?? 0
    if (each.weeks.length < 2 || levels[first] === null) return []
    return [{ ...each, residuals: residualsOf(each, levels) }]
  })
  return { ...solution, series }
}

/**
 * Chooses the clusters of errors: by product, or by market if there is a single product.
 *
 * @returns the cluster of a series
 */
export function clustersOf(series: readonly WeeklySeries[]): (series: WeeklySeries) => number {
  const [first] = series
  return series.some(({ product }) => product !== first?.product)
    ? ({ product }) => product
    : ({ market }) => market
}

/** Returns the weight of each mean of a series. */
export function weightOfMean({ weight = 1, weeks }: Pick<WeeklySeries, 'weight' | 'weeks'>): number {
  return weight / weeks.length
}

/**
 * The errors of a fit, from which the margin of any of its changes is computed, and the number of clusters quoted in
 * each week.
 */
export type FitErrors = { errors: number[]; quoted: number[]; clusters: number }

/**
 * Computes the sandwich A⁻¹ (Σ u u′) A⁻¹ of a fit, lower triangle: u is the score of a cluster, Σ over its series of v
 * m ∘ r, with r the residuals.
 */
export function errorsOf({ levels, series, solve }: Fit): FitErrors {
  const weeks = levels.length
  const clusterOf = clustersOf(series)
  const clusters = [...groupBy(series, clusterOf).values()]
  const quoted = Array<number>(weeks).fill(0)
  const meat = new Float64Array(rowOf(weeks))
  for (const own of clusters) {
    const score = new Float64Array(weeks)
    const isQuoted = new Uint8Array(weeks)
    for (const each of own) {
      const v = weightOfMean(each)
      for (let i = 0; i < each.weeks.length; i++) {
        const week = each.weeks[i] as number
        score[week] = (score[week] as number) + v * (each.residuals[i] as number)
        isQuoted[week] = 1
      }
    }
    for (let row = 0; row < weeks; row++) {
      quoted[row] = (quoted[row] as number) + (isQuoted[row] as number)
      const factor = score[row] as number
      if (factor === 0) continue
      const at = rowOf(row)
      for (let column = 0; column <= row; column++)
        meat[at + column] = (meat[at + column] as number) + factor * (score[column] as number)
    }
  }
  // A⁻¹ M row by row, M being symmetric; then the same for its columns.
  const half = Array.from({ length: weeks }, (_, row) =>
    solve(
      Float64Array.from(
        quoted,
        (_, column) => meat[rowOf(Math.max(row, column)) + Math.min(row, column)] as number,
      ),
    ),
  )
  const errors = new Array<number>(rowOf(weeks))
  for (let column = 0; column < weeks; column++) {
    const whole = solve(Float64Array.from(half, (row) => row[column] as number))
    for (let row = column; row < weeks; row++) errors[rowOf(row) + column] = whole[row] as number
  }
  return { errors, quoted, clusters: clusters.length }
}

/**
 * Computes the residuals of a series: what remains after subtracting the weekly levels and the series' own level, the
 * mean of the remainder.
 */
function residualsOf(
  { weeks, logs }: Pick<WeeklySeries, 'weeks' | 'logs'>,
  levels: readonly (number | null)[],
): Float64Array {
  const residuals = new Float64Array(weeks.length)
  let sum = 0
  for (let i = 0; i < weeks.length; i++) {
    residuals[i] = (logs[i] as number) - (levels[weeks[i] as number] ?? 0)
    sum += residuals[i] as number
  }
  const own = sum / weeks.length
  for (let i = 0; i < weeks.length; i++) residuals[i] = (residuals[i] as number) - own
  return residuals
}

/** Returns the residual of a series in a week; null where it has no mean. */
export function residualIn({ weeks, residuals }: FittedSeries, week: number): number | null {
  for (let i = 0; i < weeks.length; i++) if (weeks[i] === week) return residuals[i] as number
  return null
}
