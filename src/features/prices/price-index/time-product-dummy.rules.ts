import {
  addSeries,
  emptyEquations,
  solveEquations,
} from '#features/prices/price-index/normal-equations.rules.ts'

/** The weekly means of a series: in which weeks (0 is the first of the panel), and the mean of ln(price in CDF) in each. */
export type WeeklySeries = {
  product: number
  weeks: readonly number[]
  logs: readonly number[]
  /** How much each of its means counts; 1 when absent, never 0. */
  weight?: number
}

/** Fitted series, and what each week is worth: ln of the index, 0 in the base week, null where nothing links a week to it. */
export type Fit = {
  levels: (number | null)[]
  /** Those with a mean in two of the linked weeks at least: nothing else tells of a change. */
  series: readonly FittedSeries[]
}

export type FittedSeries = WeeklySeries & {
  /** What the fit leaves of each mean. */
  residuals: readonly number[]
}

/**
 * The time-product dummy index of a panel with holes: least squares of y(i,w) = a(i) + d(w), d(base) = 0, every mean with
 * the weight of its series (Aizcorbe, Corrado and Doms 2003; ILO and IMF, Consumer Price Index Manual 2020, chapter 10). Where
 * every series is quoted in both of two weeks it is the Jevons index between them.
 *
 * The base is the first of the weeks that most means are linked to.
 *
 * @param weeks how many weeks the panel has
 * @returns natural logarithms
 */
export function fitTimeProductDummy(panel: readonly WeeklySeries[], weeks: number): Fit {
  const equations = emptyEquations(weeks)
  for (const each of panel) addSeries(equations, each)
  const levels = solveEquations(equations)
  const series = panel.flatMap((each) => {
    const [first = 0] = each.weeks
    if (each.weeks.length < 2 || levels[first] === null) return []
    return [{ ...each, residuals: residualsOf(each, levels) }]
  })
  return { levels, series }
}

/** What a fit leaves of each mean of a series, whose own level is the mean of what is left. */
function residualsOf(
  { weeks, logs }: Pick<WeeklySeries, 'weeks' | 'logs'>,
  levels: readonly (number | null)[],
): number[] {
  const deflated = logs.map((log, i) => log - (levels[weeks[i] as number] ?? 0))
  let sum = 0
  for (const each of deflated) sum += each
  const own = sum / deflated.length
  return deflated.map((each) => each - own)
}
