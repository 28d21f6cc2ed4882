// Markets with true prices, and the quotes that collectors report: the expected index and its input.

import { type Random, randomStream } from '#demonstration/random.ts'
import type { WeeklySeries } from '#features/figures/price-index/normal-equations.rules.ts'

export type Scene = {
  seed: string
  products: number
  markets: number
  weeks: number
  /** Average number of days between two quotes of a series. */
  everyDays: number
  /** Common trend of all prices: natural logarithm by day, 0 on the first. */
  trend: (day: number) => number
  /** Drift of a product from the others within a year, and of a series from its product; standard deviations of ln. */
  strays?: { product: number; series: number }
  /** Standard deviation (ln) of the noise of one price. */
  haggle?: number
  /**
   * Share of the series that end during the time, and are replaced by series that are more expensive by `dearer` (ln).
   */
  churn?: { share: number; dearer: number }
  /** Share of series without quotes for some weeks. */
  silent?: number
  /** Share of quotes with a zero too many or too few. */
  slips?: number
}

/** A series whose weeks and means are arrays. */
export type SimulatedSeries = WeeklySeries & { weeks: number[]; logs: number[] }

/** Returns the weekly means of ln(price) of every series, as the database would return them. */
export function simulatePanel(scene: Scene): SimulatedSeries[] {
  const { products, markets, churn, weeks } = scene
  const random = randomStream(`panel/${scene.seed}`)
  const panel: SimulatedSeries[] = []
  for (let product = 0; product < products; product++) {
    const level = 7 + random.normal()
    const path = walk(random, weeks * 7, scene.strays?.product ?? 0)
    for (let market = 0; market < markets; market++) {
      const own = { product, market, level: level + 0.2 * random.normal(), path }
      if (churn && random.next() < churn.share) {
        const leaves = random.integer(7, weeks * 7 - 7)
        const enters = Math.max(0, leaves - random.integer(0, 28))
        panel.push(quoted(scene, random, { ...own, from: 0, until: leaves }))
        const heir = { ...own, level: own.level + churn.dearer * (0.5 + random.next()) }
        panel.push(quoted(scene, random, { ...heir, from: enters, until: weeks * 7 }))
      } else panel.push(quoted(scene, random, { ...own, from: 0, until: weeks * 7 }))
    }
  }
  return panel.filter((series) => series.weeks.length > 0)
}

type Sold = {
  product: number
  market: number
  level: number
  path: Float64Array
  from: number
  until: number
}

function quoted(
  scene: Scene,
  random: Random,
  { product, market, level, path, from, until }: Sold,
): SimulatedSeries {
  const { everyDays, trend, haggle = 0, silent = 0, slips = 0, weeks: length } = scene
  const own = walk(random, length * 7, scene.strays?.series ?? 0)
  const silence = random.next() < silent ? random.integer(0, length * 7) : Number.POSITIVE_INFINITY
  const isSilent = (day: number) => day >= silence && day < silence + 56
  const sums = new Map<number, { sum: number; count: number }>()
  for (let day = from; day < until; day++) {
    if (random.next() >= 1 / everyDays || isSilent(day)) continue
    const slip = random.next() < slips ? Math.log(10) * (random.next() < 0.5 ? 1 : -1) : 0
    const log = level + trend(day) + (path[day] ?? 0) + (own[day] ?? 0) + haggle * random.normal() + slip
    const week = Math.floor(day / 7)
    const total = sums.get(week) ?? { sum: 0, count: 0 }
    sums.set(week, { sum: total.sum + log, count: total.count + 1 })
  }
  const weeks = [...sums].sort(([a], [b]) => a - b)
  return {
    product,
    market,
    weeks: weeks.map(([week]) => week),
    logs: weeks.map(([, { sum, count }]) => sum / count),
  }
}

/** Returns a random walk whose standard deviation after a year is `afterAYear`. */
function walk(random: Random, days: number, afterAYear: number): Float64Array {
  const step = afterAYear / Math.sqrt(365)
  let at = 0
  return new Float64Array(days).map(() => {
    const here = at
    at += step === 0 ? 0 : step * random.normal()
    return here
  })
}

/** Returns the mean of a trend over the days of a week. */
export function trendOfWeek(trend: Scene['trend'], week: number): number {
  let sum = 0
  for (let day = 0; day < 7; day++) sum += trend(week * 7 + day)
  return sum / 7
}

/**
 * Combines all difficulties: half of the series replaced by more expensive ones, gaps, wrong zeros, and a falling
 * franc.
 */
export function hardYear(seed: string, everyDays: number): Scene {
  // 0.2 % a week, and a fifth of the franc's value lost in two months of the second half.
  const fall = (day: number) => 0.2 * Math.min(1, Math.max(0, (day - 200) / 60))
  return {
    seed,
    products: 30,
    markets: 10,
    weeks: 53,
    everyDays,
    trend: (day) => (0.002 * day) / 7 + fall(day),
    strays: { product: 0.02, series: 0.05 },
    haggle: 0.04,
    churn: { share: 0.5, dearer: 0.5 },
    silent: 0.2,
    slips: 0.001,
  }
}
