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
  /** The margin that its trend is judged by (`marginsOf`); null where the other is. */
  trendMargin: number | null
  series: number
  products: number
}

/** Gives series their weights, those in force in a week of the panel. */
export type Weigh = (series: readonly WeeklySeries[], week: number) => readonly WeeklySeries[]

/** The fit of the weeks of a window that ends with a week, or of all up to it when they are fewer; weeks counted from the first of them. */
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

/** The weeks `first` … `first + weeks − 1` of a panel, counted from 0. */
export function cutWeeks<Series extends WeeklySeries>(
  panel: readonly Series[],
  first: number,
  weeks: number,
): readonly Series[] {
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
 * the standard error is clustered by product, from the residuals of the two weeks. Series taken as independent would promise
 * 95 % and cover 65 to 95.
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
  const squares = [...products.values()].reduce((total, sum) => total + sum * sum, 0)
  const counts = { products: products.size, quoted: Math.min(seen.from.size, seen.to.size) }
  return {
    value: Math.expm1(after - before),
    ...marginsOf(counts, squares),
    series: fit.series.length,
    products: products.size,
  }
}

function weightQuoted({ series }: Fit, week: number): number {
  return series.reduce((sum, { weeks, weight = 1 }) => sum + (weeks.includes(week) ? weight : 0), 0)
}

/**
 * The margin of a change, from the squares of what each product adds to its error: Student(97.5 %, G − 1) times the standard
 * error, for G products; and the one that its trend is judged by, Student(97.5 %, g − 1), for the g products quoted in that
 * of the two weeks which has fewest. Where quotes are rare, a week rests on few of the products: the first then holds the
 * truth too seldom.
 *
 * @returns null for both where a week has a single product, whose error nothing tells: taken as it is, the margin would be wrong
 *   in 15 of 100
 */
export function marginsOf(
  { products, quoted }: { products: number; quoted: number },
  squares: number,
): Pick<Movement, 'margin' | 'trendMargin'> {
  if (quoted < 2) return { margin: null, trendMargin: null }
  const error = Math.sqrt((products / (products - 1)) * Math.max(0, squares))
  return { margin: student975(products - 1) * error, trendMargin: student975(quoted - 1) * error }
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
  const one = { value, series: 1, products: 1 }
  if (before.length < 2 || after.length < 2) return { ...one, margin: null, trendMargin: null }
  const freedom = before.length + after.length - 2
  const pooled = Math.sqrt((squaresAround(before) + squaresAround(after)) / freedom)
  const margin = student975(freedom) * pooled * Math.sqrt(1 / before.length + 1 / after.length)
  return { ...one, margin, trendMargin: margin }
}

/**
 * Up or down where a change is beyond ± 1 % and both of its margins exclude zero; stable within 1 % or its own margin. Null where no
 * change or no margin is known, and between the two margins: then nothing is said.
 */
export function trendOf(
  movement: Pick<Movement, 'value' | 'margin' | 'trendMargin'> | null,
): 'up' | 'down' | 'stable' | null {
  if (movement === null || movement.margin === null || movement.trendMargin === null) return null
  const { value, margin, trendMargin } = movement
  if (Math.abs(value) <= 0.01 || Math.abs(value) <= margin) return 'stable'
  if (Math.abs(value) <= trendMargin) return null
  return value > 0 ? 'up' : 'down'
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function squaresAround(values: readonly number[]): number {
  const mean = meanOf(values)
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
}
