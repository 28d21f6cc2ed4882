import { student975 } from '#features/prices/price-index/student.rules.ts'
import {
  type Fit,
  fitTimeProductDummy,
  type WeeklySeries,
} from '#features/prices/price-index/time-product-dummy.rules.ts'

/** Weeks that are fitted together: a year and the week that it is compared with. */
export const windowWeeks = 53
/** The last weeks of an index, which later prices may still revise. */
export const provisionalWeeks = 8

/** How far prices moved between two weeks, or two windows of days. */
export type Movement = {
  /** A fraction: 0.018 is +1.8 %. */
  value: number
  /** Half the width of its 95 % interval, a fraction too; null where nothing measures it. */
  margin: number | null
  series: number
  products: number
}

/** Gives series their weights, those in force in a week of the panel. */
export type Weigh = (series: readonly WeeklySeries[], week: number) => readonly WeeklySeries[]

/** The fit of the 53 weeks that end with a week, or of all the weeks up to it when they are fewer; weeks counted from the first of them. */
export function fitWindow(panel: readonly WeeklySeries[], week: number, weigh: Weigh): Fit {
  const first = Math.max(0, week + 1 - windowWeeks)
  const length = week + 1 - first
  return fitTimeProductDummy(weigh(cut(panel, first, length), week), length)
}

/** The weeks `first` … `first + weeks − 1` of a panel, counted from 0. */
function cut(panel: readonly WeeklySeries[], first: number, weeks: number): readonly WeeklySeries[] {
  return panel.map((series) => {
    const from = series.weeks.findIndex((week) => week >= first)
    const until = series.weeks.findIndex((week) => week >= first + weeks)
    if (from === 0 && until === -1 && first === 0) return series
    const end = until === -1 ? undefined : until
    return {
      ...series,
      weeks: from === -1 ? [] : series.weeks.slice(from, end).map((week) => week - first),
      logs: from === -1 ? [] : series.logs.slice(from, end),
    }
  })
}

/**
 * The change of an index between two of its weeks, with a margin that takes the series of a product as one observation:
 * Student(97.5 %, G − 1) times the standard error clustered by the G products, from the residuals of the two weeks.
 * Series taken as independent would promise 95 % and cover 65 to 95. A week with a single product has no residual to tell of its
 * error, and leaves the change without a margin: taken as it is, it would be wrong in 15 of 100.
 *
 * @returns null where one of the weeks has no value
 */
export function movementBetween(fit: Fit, from: number, to: number): Movement | null {
  const [before, after] = [fit.levels[from] ?? null, fit.levels[to] ?? null]
  if (before === null || after === null) return null
  const products = new Map<number, number>()
  const seen = { from: new Set<number>(), to: new Set<number>() }
  const quoted = { from: weightQuoted(fit, from), to: weightQuoted(fit, to) }
  for (const { product, weeks, residuals, weight = 1 } of fit.series) {
    const own = (week: number, whole: number) => (weight * (residuals[weeks.indexOf(week)] ?? 0)) / whole
    const correction = Math.sqrt(weeks.length / (weeks.length - 1))
    const z = (own(to, quoted.to) - own(from, quoted.from)) * correction
    products.set(product, (products.get(product) ?? 0) + z)
    if (weeks.includes(from)) seen.from.add(product)
    if (weeks.includes(to)) seen.to.add(product)
  }
  return {
    value: Math.expm1(after - before),
    margin: seen.from.size < 2 || seen.to.size < 2 ? null : clusteredMargin([...products.values()]),
    series: fit.series.length,
    products: products.size,
  }
}

function weightQuoted({ series }: Fit, week: number): number {
  return series.reduce((sum, { weeks, weight = 1 }) => sum + (weeks.includes(week) ? weight : 0), 0)
}

function clusteredMargin(sums: readonly number[]): number | null {
  return marginOf(
    sums.length,
    sums.reduce((total, sum) => total + sum * sum, 0),
  )
}

/**
 * Half the width of the 95 % interval of a change, from the squares of what each of so many products adds to its error;
 * null for a single product.
 */
export function marginOf(products: number, squares: number): number | null {
  if (products < 2) return null
  return student975(products - 1) * Math.sqrt((products / (products - 1)) * Math.max(0, squares))
}

/** Days on either side that the change of a single series compares, for a period of so many days. */
export function daysCompared(period: number): number {
  if (period <= 30) return 7
  return period <= 90 ? 15 : 30
}

/**
 * The change of one series between two windows of days: the geometric mean of the later prices over that of the earlier
 * ones. Its margin is Student's for two means with a common variance; with fewer than two prices in a window there is none.
 *
 * @param before natural logarithms of the prices of the earlier window
 * @returns null when either window is empty
 */
export function movementOfSeries(before: readonly number[], after: readonly number[]): Movement | null {
  if (before.length === 0 || after.length === 0) return null
  const value = Math.expm1(meanOf(after) - meanOf(before))
  if (before.length < 2 || after.length < 2) return { value, margin: null, series: 1, products: 1 }
  const freedom = before.length + after.length - 2
  const pooled = Math.sqrt((squaresAround(before) + squaresAround(after)) / freedom)
  const margin = student975(freedom) * pooled * Math.sqrt(1 / before.length + 1 / after.length)
  return { value, margin, series: 1, products: 1 }
}

/**
 * Up or down where a change is beyond ± 1 % and its margin excludes zero, else stable; null where no change or no margin
 * is known, and then nothing is said.
 */
export function trendOf(
  movement: Pick<Movement, 'value' | 'margin'> | null,
): 'up' | 'down' | 'stable' | null {
  if (movement === null || movement.margin === null) return null
  const { value, margin } = movement
  if (Math.abs(value) <= 0.01 || Math.abs(value) <= margin) return 'stable'
  return value > 0 ? 'up' : 'down'
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function squaresAround(values: readonly number[]): number {
  const mean = meanOf(values)
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
}
