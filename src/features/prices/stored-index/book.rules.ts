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
import { MeansTable } from '#features/prices/stored-index/means-table.rules.ts'

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
/** Of so many series, the equations of their product take less memory than they do, and a hundredth of the time to go through. */
const worthKeeping = 100

type Known = Omit<BookSeries, 'weeks' | 'logs'> & { row: number }
/** The series of a product in an index; of many, also their equations, each with the weight that its residuals have in an error. */
type Shelf = { series: Known[]; kept: NormalEquations | null }
type Shelves = ReadonlyMap<number, Shelf>
type Scope = { equations: NormalEquations; shelves: Map<number, Shelf> }
type Means = Pick<BookSeries, 'weeks' | 'logs'>
type Solved = { means: MeansTable; levels: readonly (number | null)[] }
/** What an index is of: its products stand in one scope or several, each of them in one. */
type Wanted = { equations: NormalEquations; scopes: readonly Shelves[] }

/**
 * Everything that the stored indices are computed from: the weekly means of all series over one window, and the normal
 * equations of each index, from which a series that changed is taken out and to which it is added again.
 */
export class Book {
  readonly #scopes = new Map<string, Scope>()
  readonly #series = new Map<string, Known>()
  readonly #means = new MeansTable()
  readonly #changed = new Set<string>()

  /** The window's first Monday. */
  readonly start: string

  constructor(start: string) {
    this.start = start
  }

  /** Puts a series in the place of what was known of it; one without a week is gone. */
  put({ weeks, logs, ...series }: BookSeries): void {
    const key = `${series.product} ${series.market}`
    const before = this.#series.get(key)
    if (before) {
      this.#series.delete(key)
      for (const name of before.scopes) takeOut(this.#scopeOf(name), before, this.#means.read(before.row))
      this.#means.giveBack(before.row)
    }
    if (weeks.length === 0) return
    const known = { ...series, row: this.#means.takeRow() }
    for (const [i, week] of weeks.entries()) this.#means.set(known.row, week, logs[i] as number)
    this.#series.set(key, known)
    for (const name of series.scopes) addTo(this.#scopeOf(name), known, { weeks, logs })
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
    const wanted = name === indexNames.nation ? this.#nation() : this.#wantedOf(name)
    const { equations, scopes } = wanted
    // By market: a hundred thousand series come by here at each change.
    const lastDays = new Map<number, string>()
    let knownSeries = 0
    for (const shelves of scopes)
      for (const { series } of shelves.values()) {
        for (const { market, lastDay } of series) {
          const known = lastDays.get(market)
          if (known === undefined || (lastDay ?? '') > known) lastDays.set(market, lastDay ?? '')
          if (++knownSeries % seriesAtOnce === 0) await pause()
        }
      }
    const lastDay = [...lastDays.values()].reduce(max, '')
    if (lastDay === '') return null
    const recent = recentFrom(lastDay)
    const levels = solveEquations(equations)
    return {
      levels,
      ...(await errorsOf(wanted, { means: this.#means, levels }, pause)),
      knownSeries,
      silentMarkets: [...lastDays.values()].filter((own) => own < recent).length,
      lastDay,
    }
  }

  #wantedOf(name: string): Wanted {
    const scope = this.#scopes.get(name)
    return scope
      ? { equations: scope.equations, scopes: [scope.shelves] }
      : { equations: emptyEquations(windowWeeks), scopes: [] }
  }

  /** Every product of an index is in one category: together these are the country. */
  #nation(): Wanted {
    const equations = emptyEquations(windowWeeks)
    const scopes: Shelves[] = []
    for (const [name, scope] of this.#scopes) {
      if (!isCategory(name)) continue
      addEquations(equations, scope.equations)
      scopes.push(scope.shelves)
    }
    return { equations, scopes }
  }

  #scopeOf(name: string): Scope {
    this.#changed.add(name)
    const known = this.#scopes.get(name)
    if (known) return known
    const scope = { equations: emptyEquations(windowWeeks), shelves: new Map<number, Shelf>() }
    this.#scopes.set(name, scope)
    return scope
  }
}

function addTo({ equations, shelves }: Scope, series: Known, means: Means): void {
  addSeries(equations, means)
  const shelf = shelves.get(series.product)
  if (!shelf) {
    shelves.set(series.product, { series: [series], kept: null })
    return
  }
  shelf.series.push(series)
  if (shelf.kept) addSeries(shelf.kept, weighted(means))
}

function takeOut({ equations, shelves }: Scope, series: Known, means: Means): void {
  addSeries(equations, means, -1)
  const shelf = shelves.get(series.product)
  if (!shelf) return
  shelf.series.splice(shelf.series.indexOf(series), 1)
  if (shelf.kept) addSeries(shelf.kept, weighted(means), -1)
  if (shelf.series.length < worthKeeping) shelf.kept = null
  if (shelf.series.length === 0) shelves.delete(series.product)
}

function weighted(means: Means): Means & { weight: number } {
  return { ...means, weight: correctionOf(means.weeks.length) }
}

/** A residual of a series is short of the error by the share that it has itself in the mean of so many. */
function correctionOf(weeks: number): number {
  return Math.sqrt(weeks / (weeks - 1))
}

/** What each product adds to the error of every week, as sums of their products: u u′ over the products, lower triangle. */
async function errorsOf(
  { equations, scopes }: Wanted,
  solved: Solved,
  pause: Pause,
): Promise<Pick<IndexFigures, 'errors' | 'series' | 'products'>> {
  const { levels } = solved
  const weeks = levels.length
  const counts = Float64Array.from({ length: weeks }, (_, week) => countInWeek(equations, week))
  const errors = new Float64Array((weeks * (weeks + 1)) / 2)
  const productsIn = new Int32Array(weeks)
  let [met, products] = [0, 0]
  for (const shelves of scopes)
    for (const shelf of shelves.values()) {
      if (shelf.series.length >= worthKeeping) shelf.kept ??= keptOf(shelf.series, solved.means)
      const { sums, seen } = shelf.kept ? sumsOfKept(shelf.kept, levels) : sumsOf(shelf.series, solved)
      let isFitted = false
      let at = 0
      for (let row = 0; row < weeks; row++) {
        if (seen[row]) {
          isFitted = true
          productsIn[row] = (productsIn[row] as number) + 1
          sums[row] = (sums[row] as number) / (counts[row] as number)
        }
        const own = sums[row] as number
        for (let column = 0; column <= row; column++, at++) {
          errors[at] = (errors[at] as number) + own * (sums[column] as number)
        }
      }
      products += Number(isFitted)
      met += shelf.series.length
      if (met < seriesAtOnce) continue
      met = 0
      await pause()
    }
  const told: (number | null)[] = [...errors]
  for (let week = 0; week < weeks; week++) {
    if ((productsIn[week] as number) < 2) told[(week * (week + 1)) / 2 + week] = null
  }
  return { errors: told, series: fittedSeries(equations, levels), products }
}

function keptOf(series: readonly Known[], means: MeansTable): NormalEquations {
  const kept = emptyEquations(windowWeeks)
  for (const { row } of series) addSeries(kept, weighted(means.read(row)))
  return kept
}

/** The residuals of a product's series in each week, added up with their weights, and in which weeks there are any. */
type Sums = { sums: Float64Array; seen: Uint8Array }

function sumsOf(series: readonly Known[], { means, levels }: Solved): Sums {
  const weeks = levels.length
  const worth = Float64Array.from(levels, (level) => level ?? Number.NaN)
  const sums = new Float64Array(weeks)
  const seen = new Uint8Array(weeks)
  for (const { row } of series) {
    let [n, own] = [0, 0]
    for (let week = 0; week < weeks; week++) {
      const log = means.at(row, week)
      if (Number.isNaN(log)) continue
      own += log - (worth[week] as number)
      n += 1
    }
    // Weeks without a level have none in all of a series.
    if (n < 2 || Number.isNaN(own)) continue
    own /= n
    const correction = correctionOf(n)
    for (let week = 0; week < weeks; week++) {
      const residual = means.at(row, week) - (worth[week] as number) - own
      if (Number.isNaN(residual)) continue
      sums[week] = (sums[week] as number) + residual * correction
      seen[week] = 1
    }
  }
  return { sums, seen }
}

/** The same from the equations: what their right side is beyond what the levels explain of it. */
function sumsOfKept(kept: NormalEquations, levels: readonly (number | null)[]): Sums {
  const { weeks, matrix, right } = kept
  const sums = new Float64Array(weeks)
  const seen = new Uint8Array(weeks)
  for (let row = 0; row < weeks; row++) {
    const level = levels[row] ?? null
    if (level === null || countInWeek(kept, row) === 0) continue
    seen[row] = 1
    let sum = (sums[row] as number) + (right[row] as number)
    for (let column = 0; column <= row; column++) {
      const share = matrix[row * weeks + column] as number
      sum -= share * (levels[column] ?? 0)
      if (column < row) sums[column] = (sums[column] as number) - share * level
    }
    sums[row] = sum
  }
  return { sums, seen }
}

/** How many series have two weeks at least among those with a level: each adds one less to the diagonal than it has weeks. */
function fittedSeries(equations: NormalEquations, levels: readonly (number | null)[]): number {
  const { weeks, matrix } = equations
  const shares = levels.map((level, week) =>
    level === null ? 0 : countInWeek(equations, week) - (matrix[week * weeks + week] as number),
  )
  return Math.round(shares.reduce((sum, share) => sum + share, 0))
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
