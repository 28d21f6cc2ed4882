import {
  addSeries,
  emptyEquations,
  rowOf,
  type Solution,
  solveEquations,
  type WeeklySeries,
} from '#features/figures/price-index/normal-equations.rules.ts'

/** A panel fitted: what its weeks are worth, and the series that say so. */
export type Fit = Solution & {
  /** Those with a mean in two of the linked weeks at least: nothing else tells of a change. */
  series: readonly FittedSeries[]
}

export type FittedSeries = WeeklySeries & {
  /** What the fit leaves of each mean. */
  residuals: Float64Array
}

/**
 * The time-product dummy index of a panel with holes: least squares of y(i,w) = a(i) + d(w), d(base) = 0, where every series
 * counts alike: each of its n means weighs one nth of the weight of the series (Aizcorbe, Corrado and Doms 2003; ILO and IMF,
 * Consumer Price Index Manual 2020, chapter 10). Where every series is quoted in both of two weeks it is the Jevons index
 * between them.
 *
 * The base is the first of the weeks that most means are linked to.
 *
 * @param weeks how many weeks the panel has
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
 * The errors of series are clustered by product; those of a single product, by market.
 *
 * @returns the cluster of a series
 */
export function clustersOf(series: readonly WeeklySeries[]): (series: WeeklySeries) => number {
  const [first] = series
  return series.some(({ product }) => product !== first?.product)
    ? ({ product }) => product
    : ({ market }) => market
}

/** The weight of each mean of a series. */
export function weightOfMean({ weight = 1, weeks }: Pick<WeeklySeries, 'weight' | 'weeks'>): number {
  return weight / weeks.length
}

/** The errors of a fit, from which the margin of any of its changes comes, and how many clusters are quoted in each week. */
export type FitErrors = { errors: number[]; quoted: number[]; clusters: number }

/**
 * The sandwich A⁻¹ (Σ u u′) A⁻¹ of a fit, lower triangle: u is the score of a cluster, Σ over its series of v m ∘ r, with r the
 * residuals.
 */
export function errorsOf({ levels, series, solve }: Fit): FitErrors {
  const weeks = levels.length
  const clusterOf = clustersOf(series)
  const clusters = [...Map.groupBy(series, clusterOf).values()]
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
  // A⁻¹ M by rows, M being symmetric; then the same of its columns.
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

/** What a fit leaves of each mean of a series, whose own level is the mean of what is left. */
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

/** What the fit leaves of the mean of a series in a week; null where it has none. */
export function residualIn({ weeks, residuals }: FittedSeries, week: number): number | null {
  for (let i = 0; i < weeks.length; i++) if (weeks[i] === week) return residuals[i] as number
  return null
}
