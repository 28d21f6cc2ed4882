import type { WeeklySeries } from '#features/prices/price-index/normal-equations.rules.ts'
import { windowWeeks } from '#features/prices/price-index/price-index.rules.ts'
import { errorsOf, fitTimeProductDummy } from '#features/prices/price-index/time-product-dummy.rules.ts'
import type { IndexFigures } from '#features/prices/stored-index/figures.rules.ts'

/** The means of some series in a week: numbers at the same place of the three lists belong together. */
export type MeansOfWeek = {
  products: readonly number[]
  markets: readonly number[]
  values: readonly number[]
}

/** The weekly means of series as they are read, week after week. */
export class SeriesReader {
  readonly #rows = new Map<number, Map<number, number>>()
  readonly #keys: { product: number; market: number }[] = []
  readonly #weeks: { rows: Uint32Array; logs: Float64Array }[] = []

  add({ products, markets, values }: MeansOfWeek): void {
    const rows = Uint32Array.from(products, (product, i) => this.#rowOf(product, markets[i] as number))
    this.#weeks.push({ rows, logs: Float64Array.from(values) })
  }

  /** Every series with its means one after the other: an object of each mean would take ten times the memory. */
  series(): WeeklySeries[] {
    const counts = new Uint32Array(this.#keys.length)
    for (const { rows } of this.#weeks) for (const row of rows) counts[row] = (counts[row] as number) + 1
    const ends = new Uint32Array(counts.length)
    let all = 0
    for (const [row, count] of counts.entries()) {
      ends[row] = all
      all += count
    }
    const [weeks, logs] = [new Uint16Array(all), new Float64Array(all)]
    for (const [week, means] of this.#weeks.entries()) {
      for (const [i, row] of means.rows.entries()) {
        const at = ends[row] as number
        weeks[at] = week
        logs[at] = means.logs[i] as number
        ends[row] = at + 1
      }
    }
    return this.#keys.map((key, row) => {
      const end = ends[row] as number
      const from = end - (counts[row] as number)
      return { ...key, weeks: weeks.subarray(from, end), logs: logs.subarray(from, end) }
    })
  }

  #rowOf(product: number, market: number): number {
    const ofMarket = this.#rows.get(market) ?? new Map<number, number>()
    const known = ofMarket.get(product)
    if (known !== undefined) return known
    const row = this.#keys.push({ product, market }) - 1
    this.#rows.set(market, ofMarket.set(product, row))
    return row
  }
}

/** The series of each index, by its name. */
export function seriesByIndex(
  series: readonly WeeklySeries[],
  scopesOf: (series: WeeklySeries) => readonly string[],
): Map<string, WeeklySeries[]> {
  const indices = new Map<string, WeeklySeries[]>()
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
 * The figures of an index of 53 weeks.
 *
 * @param lastDayOf the last day of a series with a price, where that is in the last four weeks of all
 * @param since the first of the last 14 days of all
 * @returns null where none of its prices is of these days
 */
export function figuresOf(
  series: readonly WeeklySeries[],
  lastDayOf: (series: WeeklySeries) => string | undefined,
  since: string,
): IndexFigures | null {
  const lastDays = new Map<number, string | null>()
  for (const each of series) {
    const [known, own] = [lastDays.get(each.market) ?? null, lastDayOf(each) ?? null]
    lastDays.set(each.market, own !== null && (known === null || own > known) ? own : known)
  }
  const marketDays = [...lastDays.values()].sort((a, b) => ((a ?? '') < (b ?? '') ? 1 : -1))
  const [lastDay] = marketDays
  if (!lastDay || lastDay < since) return null
  const fit = fitTimeProductDummy(series, windowWeeks)
  return {
    ...{ levels: fit.levels, ...errorsOf(fit) },
    series: fit.series.length,
    products: new Set(fit.series.map(({ product }) => product)).size,
    knownSeries: series.length,
    ...{ marketDays, lastDay },
  }
}
