import { marketDaysOf } from '#features/figures/price-index/measure.rules.ts'
import type { WeeklySeries } from '#features/figures/price-index/normal-equations.rules.ts'
import { windowWeeks } from '#features/figures/price-index/price-index.rules.ts'
import { errorsOf, fitTimeProductDummy } from '#features/figures/price-index/time-product-dummy.rules.ts'
import type { IndexFigures } from '#features/figures/stored-index/figures.rules.ts'

export type DatedSeries = WeeklySeries & { lastDay: string | null }

/** The means of some series in a week, as three parallel arrays. */
export type MeansOfWeek = { products: Int32Array; markets: Int32Array; values: Float64Array }

/** Collects the weekly means of series while they are read week by week. */
export class SeriesReader {
  readonly #rows = new Map<number, Map<number, number>>()
  readonly #products: number[] = []
  readonly #markets: number[] = []
  readonly #weeks: { rows: Uint32Array; logs: Float64Array }[] = []

  add({ products, markets, values }: MeansOfWeek): void {
    const rows = new Uint32Array(products.length)
    let next = 0
    for (let i = 0; i < products.length; i++) {
      const [product, market] = [products[i] as number, markets[i] as number]
      // Each week has almost the same series, in the same order.
      const isNext = this.#products[next] === product && this.#markets[next] === market
      const row = isNext ? next : this.#rowOf(product, market)
      rows[i] = row
      next = row + 1
    }
    this.#weeks.push({ rows, logs: values })
  }

  /** Returns every series with its means in typed arrays: one object per mean would take ten times the memory. */
  series(): WeeklySeries[] {
    const counts = new Uint32Array(this.#products.length)
    for (const { rows } of this.#weeks) for (const row of rows) counts[row] = (counts[row] as number) + 1
    const ends = new Uint32Array(counts.length)
    let all = 0
    for (const [row, count] of counts.entries()) {
      ends[row] = all
      all += count
    }
    const [weeks, logs] = [new Uint16Array(all), new Float64Array(all)]
    for (const [week, means] of this.#weeks.entries()) {
      for (let i = 0; i < means.rows.length; i++) {
        const row = means.rows[i] as number
        const at = ends[row] as number
        weeks[at] = week
        logs[at] = means.logs[i] as number
        ends[row] = at + 1
      }
    }
    return this.#products.map((product, row) => {
      const end = ends[row] as number
      const from = end - (counts[row] as number)
      const market = this.#markets[row] as number
      return { product, market, weeks: weeks.subarray(from, end), logs: logs.subarray(from, end) }
    })
  }

  #rowOf(product: number, market: number): number {
    const ofMarket = this.#rows.get(market) ?? new Map<number, number>()
    const position = ofMarket.get(product)
    if (position !== undefined) return position
    const row = this.#products.push(product) - 1
    this.#markets.push(market)
    this.#rows.set(market, ofMarket.set(product, row))
    return row
  }
}

/** Groups series by the name of each index they belong to. */
export function seriesByIndex<Series extends WeeklySeries>(
  series: readonly Series[],
  scopesOf: (series: WeeklySeries) => readonly string[],
): Map<string, Series[]> {
  const indices = new Map<string, Series[]>()
  for (const each of series) {
    for (const name of scopesOf(each)) {
      const own = indices.get(name)
      if (own) own.push(each)
      else indices.set(name, [each])
    }
  }
  return indices
}

/**
 * Computes the figures of an index of 53 weeks.
 *
 * @param series with the last day of each that has a price, if within the last four weeks of all
 * @param since the first of the last 14 days of all
 * @returns null where it has no price on or after `since`
 */
export function figuresOf(series: readonly DatedSeries[], since: string): IndexFigures | null {
  const marketDays = marketDaysOf(series).sort((a, b) => ((a ?? '') < (b ?? '') ? 1 : -1))
  const [lastDay] = marketDays
  if (!lastDay || lastDay < since) return null
  const fit = fitTimeProductDummy(series, windowWeeks)
  return {
    levels: fit.levels,
    ...errorsOf(fit),
    series: fit.series.length,
    products: new Set(fit.series.map(({ product }) => product)).size,
    knownSeries: series.length,
    marketDays,
    lastDay,
  }
}
