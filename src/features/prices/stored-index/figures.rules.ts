import type { MarketDays, SolvedIndex } from '#features/prices/price-index/measure.rules.ts'
import { marginsOf } from '#features/prices/price-index/price-index.rules.ts'

/** What stored indices are called. */
export const indexNames = {
  nation: 'nation ',
  city: (name: string) => `city ${name}`,
  category: (id: number) => `category ${id}`,
  market: (id: number) => `market ${id}`,
  province: (name: string) => `province ${name}`,
}

/** What a series is and where: its category, none where it is no good; its city, folded; its province by its official name. */
export type SeriesPlace = { category: number | null; market: number; city: string; province: string | null }

/** Lets others be served between two pieces of a work that takes a tenth of a second. */
export type Pause = () => Promise<unknown>

/** Names of the indices that a series enters: those of goods. */
export function scopesOf({ category, market, city, province }: SeriesPlace): string[] {
  if (category === null) return []
  return [
    indexNames.city(city),
    indexNames.category(category),
    indexNames.market(market),
    ...(province === null ? [] : [indexNames.province(province)]),
  ]
}

/** What is stored of an index. */
export type IndexFigures = {
  levels: readonly (number | null)[]
  /** What the products add to the errors of two weeks, multiplied and summed over the products, lower triangle. */
  errors: readonly number[]
  /** How many products each week has. */
  quoted: readonly number[]
  series: number
  products: number
  knownSeries: number
  marketDays: MarketDays
  lastDay: string
}

/** Stored figures as an index that can be asked like any other. */
export function solvedFrom(start: string, figures: IndexFigures): SolvedIndex {
  const { levels, errors, quoted, series, products, knownSeries, marketDays } = figures
  const at = (row: number, column: number) => {
    const [high, low] = row > column ? [row, column] : [column, row]
    return errors[(high * (high + 1)) / 2 + low] ?? 0
  }
  return {
    start,
    levels,
    matchedSeries: series,
    knownSeries,
    marketDays,
    movement(from, to) {
      const [before, after] = [levels[from] ?? null, levels[to] ?? null]
      if (before === null || after === null) return null
      const counts = { products, quoted: Math.min(quoted[from] ?? 0, quoted[to] ?? 0) }
      const squares = at(to, to) + at(from, from) - 2 * at(to, from)
      return { value: Math.expm1(after - before), ...marginsOf(counts, squares), series, products }
    },
  }
}
