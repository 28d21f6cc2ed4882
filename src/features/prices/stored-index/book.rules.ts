import type { SolvedIndex } from '#features/prices/price-index/measure.rules.ts'
import {
  addEquations,
  addSeries,
  countInWeek,
  emptyEquations,
  type NormalEquations,
  solveEquations,
} from '#features/prices/price-index/normal-equations.rules.ts'
import { marginOf, windowWeeks } from '#features/prices/price-index/price-index.rules.ts'

/** A series of the window: its weeks, counted from the window's first Monday, and its mean in each. */
export type BookSeries = {
  product: number
  market: number
  /** Names of the indices that it enters beside the country's. */
  scopes: readonly string[]
  weeks: number[]
  logs: number[]
  /** Its last local day with a price; null when that is more than two weeks before the last of all. */
  lastDay: string | null
}

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

function isCategory(name: string): boolean {
  return name.startsWith('category ')
}

/** What is stored of an index. */
export type IndexFigures = {
  levels: (number | null)[]
  /** u u′ summed over the products, lower triangle; null on the diagonal of a week that rests on one product, whose error nothing tells. */
  errors: (number | null)[]
  series: number
  products: number
  knownSeries: number
  silentMarkets: number
  lastDay: string
}

/** So many series are gone through in a millisecond: others are served after each. */
const seriesAtOnce = 1_000

type Shelf = ReadonlyMap<string, BookSeries>
type Scope = { equations: NormalEquations; series: Map<string, BookSeries> }
/** What an index is of: its series stand on one shelf or several. */
type Wanted = { equations: NormalEquations; shelves: readonly Shelf[] }

/**
 * Everything that the stored indices are computed from: the weekly means of all series over one window, and the normal
 * equations of each index, from which a series that changed is taken out and to which it is added again.
 */
export class Book {
  readonly #scopes = new Map<string, Scope>()
  readonly #series = new Map<string, BookSeries>()
  readonly #changed = new Set<string>()

  /** The window's first Monday. */
  readonly start: string

  constructor(start: string) {
    this.start = start
  }

  /** Puts a series in the place of what was known of it; one without a week is gone. */
  put(series: BookSeries): void {
    const key = `${series.product} ${series.market}`
    const before = this.#series.get(key)
    if (before) {
      this.#series.delete(key)
      for (const name of before.scopes) {
        const scope = this.#scopeOf(name)
        addSeries(scope.equations, before, -1)
        scope.series.delete(key)
      }
    }
    if (series.weeks.length === 0) return
    this.#series.set(key, series)
    for (const name of series.scopes) {
      const scope = this.#scopeOf(name)
      addSeries(scope.equations, series)
      scope.series.set(key, series)
    }
  }

  /** Names of the indices whose series were put since this was asked last. */
  takeChanged(): string[] {
    const names = this.#changed.size > 0 ? [indexNames.nation, ...this.#changed] : []
    this.#changed.clear()
    return names
  }

  /**
   * The figures of an index; null where no series is left.
   *
   * @param recentFrom from which day on a market is not silent, given the last day of all its series
   */
  async figuresOf(
    name: string,
    recentFrom: (lastDay: string) => string,
    pause: Pause,
  ): Promise<IndexFigures | null> {
    const wanted = name === indexNames.nation ? this.#nation() : this.#shelfOf(name)
    const { equations, shelves } = wanted
    // By market: a hundred thousand series come by here at each change.
    const lastDays = new Map<number, string>()
    let knownSeries = 0
    for (const shelf of shelves) {
      for (const { market, lastDay } of shelf.values()) {
        lastDays.set(market, max(lastDays.get(market) ?? '', lastDay ?? ''))
        if (++knownSeries % seriesAtOnce === 0) await pause()
      }
    }
    const lastDay = [...lastDays.values()].reduce(max, '')
    if (lastDay === '') return null
    const recent = recentFrom(lastDay)
    const levels = solveEquations(equations)
    return {
      levels,
      ...(await errorsOf(wanted, levels, pause)),
      knownSeries,
      silentMarkets: [...lastDays.values()].filter((own) => own < recent).length,
      lastDay,
    }
  }

  #shelfOf(name: string): Wanted {
    const scope = this.#scopes.get(name)
    return scope
      ? { equations: scope.equations, shelves: [scope.series] }
      : { equations: emptyEquations(windowWeeks), shelves: [] }
  }

  /** Every series of an index is in one category: together these are the country. */
  #nation(): Wanted {
    const equations = emptyEquations(windowWeeks)
    const shelves: Shelf[] = []
    for (const [name, scope] of this.#scopes) {
      if (!isCategory(name)) continue
      addEquations(equations, scope.equations)
      shelves.push(scope.series)
    }
    return { equations, shelves }
  }

  #scopeOf(name: string): Scope {
    this.#changed.add(name)
    const known = this.#scopes.get(name)
    if (known) return known
    const scope = { equations: emptyEquations(windowWeeks), series: new Map<string, BookSeries>() }
    this.#scopes.set(name, scope)
    return scope
  }
}

const [none, several] = [0, -1]

/** What each product adds to the error of every week, as sums of their products: u u′ over the products, lower triangle. */
async function errorsOf(
  { equations, shelves }: Wanted,
  levels: readonly (number | null)[],
  pause: Pause,
): Promise<Pick<IndexFigures, 'errors' | 'series' | 'products'>> {
  const weeks = levels.length
  const counts = Float64Array.from({ length: weeks }, (_, week) => countInWeek(equations, week))
  const worth = Float64Array.from(levels, (level) => level ?? 0)
  const ofProducts = new Map<number, Float64Array>()
  // The product that a week rests on, where it is one.
  const alone = new Int32Array(weeks)
  let [met, fitted] = [0, 0]
  for (const shelf of shelves)
    for (const each of shelf.values()) {
      if (++met % seriesAtOnce === 0) await pause()
      const n = each.weeks.length
      if (n < 2 || levels[each.weeks[0] as number] === null) continue
      fitted += 1
      let sums = ofProducts.get(each.product)
      if (!sums) {
        sums = new Float64Array(weeks)
        ofProducts.set(each.product, sums)
      }
      // A hundred thousand series come by here at each change: nothing is set aside for any of them.
      let own = 0
      for (let i = 0; i < n; i++) own += (each.logs[i] as number) - (worth[each.weeks[i] as number] as number)
      own /= n
      const correction = Math.sqrt(n / (n - 1))
      for (let i = 0; i < n; i++) {
        const week = each.weeks[i] as number
        const residual = (each.logs[i] as number) - (worth[week] as number) - own
        sums[week] = (sums[week] as number) + (residual * correction) / (counts[week] as number)
        if (alone[week] !== each.product) alone[week] = alone[week] === none ? each.product : several
      }
    }
  await pause()
  const errors = new Float64Array((weeks * (weeks + 1)) / 2)
  for (const sums of ofProducts.values()) {
    let at = 0
    for (let row = 0; row < weeks; row++) {
      const own = sums[row] as number
      for (let column = 0; column <= row; column++, at++) {
        errors[at] = (errors[at] as number) + own * (sums[column] as number)
      }
    }
  }
  const told: (number | null)[] = [...errors]
  for (let week = 0; week < weeks; week++) {
    if (alone[week] !== several) told[(week * (week + 1)) / 2 + week] = null
  }
  return { errors: told, series: fitted, products: ofProducts.size }
}

/** Stored figures as an index that can be asked like any other. */
export function solvedFrom(start: string, figures: IndexFigures): SolvedIndex {
  const { levels, errors, series, products, knownSeries, silentMarkets } = figures
  const at = (row: number, column: number) => {
    const [high, low] = row > column ? [row, column] : [column, row]
    return errors[(high * (high + 1)) / 2 + low] ?? null
  }
  return {
    start,
    levels,
    matchedSeries: series,
    knownSeries,
    silentMarkets,
    movement(from, to) {
      const [before, after] = [levels[from] ?? null, levels[to] ?? null]
      if (before === null || after === null) return null
      const [own, earlier, both] = [at(to, to), at(from, from), at(to, from)]
      const isTold = own !== null && earlier !== null && both !== null
      const margin = isTold ? marginOf(products, own + earlier - 2 * both) : null
      return { value: Math.expm1(after - before), margin, series, products }
    },
  }
}

function max(one: string, other: string): string {
  return one > other ? one : other
}
