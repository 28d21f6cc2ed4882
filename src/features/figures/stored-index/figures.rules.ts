import type { MarketDays, SolvedIndex } from '#features/figures/price-index/measure.rules.ts'
import { marginsOf } from '#features/figures/price-index/price-index.rules.ts'
import type { FitErrors } from '#features/figures/price-index/time-product-dummy.rules.ts'

/** Names of the stored indices. */
export const indexNames = {
  nation: 'nation ',
  city: (name: string) => `city ${name}`,
  category: (id: number) => `category ${id}`,
  market: (id: number) => `market ${id}`,
  province: (name: string) => `province ${name}`,
}

/** The category and place of a series; its city is folded, its province is the official name. */
export type SeriesPlace = { category: number; market: number; city: string; province: string | null }

/** Returns the names of the indices that a series of goods belongs to. */
export function scopesOf({ category, market, city, province }: SeriesPlace): string[] {
  return [
    indexNames.nation,
    indexNames.city(city),
    indexNames.category(category),
    indexNames.market(market),
    ...(province === null ? [] : [indexNames.province(province)]),
  ]
}

/** The stored figures of an index. */
export type IndexFigures = FitErrors & {
  levels: readonly (number | null)[]
  series: number
  products: number
  knownSeries: number
  marketDays: MarketDays
  lastDay: string
}

/** Converts stored figures to a solved index. */
export function solvedFrom(
  { start, asOf }: Pick<SolvedIndex, 'start' | 'asOf'>,
  figures: IndexFigures,
): SolvedIndex {
  const { levels, errors, quoted, clusters, series, products, knownSeries, marketDays } = figures
  const at = (row: number, column: number) => {
    const [high, low] = row > column ? [row, column] : [column, row]
    return errors[(high * (high + 1)) / 2 + low] ?? 0
  }
  return {
    start,
    asOf,
    levels,
    knownSeries,
    marketDays,
    matchedSeries: series,
    movement(from, to) {
      const [before, after] = [levels[from] ?? null, levels[to] ?? null]
      if (before === null || after === null) return null
      const margins = marginsOf({
        clusters,
        quoted: Math.min(quoted[from] ?? 0, quoted[to] ?? 0),
        squares: at(to, to) + at(from, from) - 2 * at(to, from),
      })
      return { value: Math.expm1(after - before), ...margins, series, products }
    },
  }
}
