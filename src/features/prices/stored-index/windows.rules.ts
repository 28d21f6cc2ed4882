import {
  addEquations,
  addMean,
  addSeries,
  clearEquations,
  countInWeek,
  emptyEquations,
  type NormalEquations,
  residualsOf,
  rotateEquations,
  solveEquations,
} from '#features/prices/price-index/normal-equations.rules.ts'
import { windowWeeks } from '#features/prices/price-index/price-index.rules.ts'
import type { WindowLevels } from '#features/prices/price-index/sliding-window.rules.ts'
import { type IndexFigures, indexNames, type Pause } from '#features/prices/stored-index/figures.rules.ts'
import {
  isCategory,
  type OfProducts,
  ProductEquations,
  type SeriesTogether,
  through,
} from '#features/prices/stored-index/product-equations.rules.ts'
import { ProductErrors } from '#features/prices/stored-index/product-errors.rules.ts'

/** Numbers of some series: those at the same place of the three lists belong together. */
export type OfSeries = { products: readonly number[]; markets: readonly number[]; values: readonly number[] }

/** A series: its weeks, counted from the window's first, and its mean in each. */
export type WindowSeries = {
  product: number
  market: number
  /** Names of the indices that it enters beside the country's; none where it is no good. */
  scopes: readonly string[]
  weeks: readonly number[]
  logs: readonly number[]
  /** Its last day with a price, counted from 1970; null when that is more than two weeks before the last of all. */
  lastDay: number | null
}

/** Series of a market; and until one changes, what was met of those whose products all have equations. */
type Shelf = SeriesTogether & { market: number; rows: number[]; met: WeakMap<OfProducts, Met> }

/** How many series have a mean, how many of them tell of a change, and the last day on which one had a price. */
type Met = { known: number; fitted: number; lastDay: number }

/** Rows are set aside so many at a time: a table that is copied when it grows needs twice its room. */
const rowsAtOnce = 1_024
const never = -1

/**
 * The weekly means of all series over 53 weeks, and the normal equations of each index that they enter: a row for each series,
 * whose columns the weeks take in turn. A series that changed is taken out of the equations and added again as it is now.
 */
export class SeriesWindow {
  readonly #blocks: Float64Array[] = []
  readonly #products: number[] = []
  readonly #lastDays: number[] = []
  /** How many means each has. */
  readonly #counts: number[] = []
  /** By market and product. */
  readonly #rows = new Map<number, Map<number, number>>()
  readonly #shelves = new Map<string, Shelf>()
  /** By the names of the indices that their series enter. */
  readonly #shelvesOf = new Map<string, Shelf[]>()
  /** By the names of the indices but the country's; weeks are counted by their columns. */
  readonly #equations = new Map<string, NormalEquations>()
  readonly #ofProducts = new ProductEquations({
    seriesOf: (name) => this.#shelvesNamed(name),
    productOf: (row) => this.#products[row] as number,
    meansOf: (row) => this.#seriesAt(row),
  })
  readonly #scopesOf: (product: number, market: number) => readonly string[]
  #weeks = 0
  #isSummed = false

  /** @param scopesOf the names of the indices that a series enters beside the country's; none where it is no good */
  constructor(scopesOf: (product: number, market: number) => readonly string[]) {
    this.#scopesOf = scopesOf
  }

  /** Takes in the means of the week after the last; the week of 53 weeks before is forgotten. */
  async add({ products, markets, values }: OfSeries, pause: Pause): Promise<void> {
    const rows = products.map((product, i) => this.#rowOf(product, markets[i] as number))
    const means = new Float64Array(this.#products.length).fill(Number.NaN)
    for (const [i, row] of rows.entries()) if (row !== undefined) means[row] = values[i] as number
    const column = this.#weeks++ % windowWeeks
    this.#ofProducts.forget()
    const moved = this.#isSummed ? emptyEquations(windowWeeks) : null
    this.#forgetMet()
    await through(this.#shelves.values(), pause, ({ scopes, rows }) => {
      if (moved) clearEquations(moved)
      for (const row of rows) this.#setMean(row, column, means[row] as number, moved)
      if (moved) for (const name of scopes) addEquations(this.#equationsOf(name), moved)
    })
  }

  /** Says on which day, counted from 1970, series had a price last. */
  noteLastDays({ products, markets, values }: OfSeries): void {
    this.#forgetMet()
    for (const [i, day] of values.entries()) {
      const row = this.#rowOf(products[i] as number, markets[i] as number)
      if (row !== undefined) this.#lastDays[row] = day
    }
  }

  /** Puts a series in the place of what was known of it; one without a week is gone. */
  put({ product, market, scopes, weeks, logs, lastDay }: WindowSeries): void {
    const row = this.#rowOf(product, market, scopes)
    if (row === undefined) return
    const shelf = this.#shelves.get(scopes.join('\n'))
    if (shelf) shelf.met = new WeakMap()
    else this.#forgetMet()
    const before = this.#seriesAt(row)
    const { means, at } = this.#placeOf(row)
    means.fill(Number.NaN, at, at + windowWeeks)
    for (const [i, week] of weeks.entries()) means[at + this.#columnOf(week)] = logs[i] as number
    this.#lastDays[row] = lastDay ?? never
    this.#counts[row] = weeks.length
    const after = this.#seriesAt(row)
    for (const name of scopes) {
      addSeries(this.#equationsOf(name), before, -1)
      addSeries(this.#equationsOf(name), after)
    }
    this.#ofProducts.put({ product, scopes, before, after })
  }

  /** Names of all its indices. */
  async names(pause: Pause): Promise<string[]> {
    if (!this.#isSummed) {
      const own = emptyEquations(windowWeeks)
      await through(this.#shelves.values(), pause, ({ scopes, rows }) => {
        clearEquations(own)
        for (const row of rows) addSeries(own, this.#seriesAt(row))
        for (const name of scopes) addEquations(this.#equationsOf(name), own)
      })
      this.#isSummed = true
    }
    return [indexNames.nation, ...this.#equations.keys()]
  }

  /** What its weeks are worth for an index. */
  levels(name: string): WindowLevels {
    return solveEquations(rotateEquations(this.#equationsNamed(name), this.#columnOf(0)))
  }

  /**
   * The figures of an index; null where its last price is not among those of the last two weeks.
   *
   * @param since the first day, counted from 1970, of these two weeks
   */
  async figures(name: string, since: number, pause: Pause): Promise<IndexFigures | null> {
    const levels = this.levels(name)
    const equations = this.#equationsNamed(name)
    const worth = new Float64Array(windowWeeks)
    for (const [week, level] of levels.entries()) worth[this.#columnOf(week)] = level ?? Number.NaN
    const isLinked = worth.every((level, week) => !Number.isNaN(level) || countInWeek(equations, week) === 0)
    const ofProducts: OfProducts = isLinked ? await this.#ofProducts.of(name, pause) : new Map()
    const errors = new ProductErrors()
    const lastDays = new Map<number, number>()
    let [knownSeries, series] = [0, 0]
    await through(this.#shelvesNamed(name), pause, (shelf) => {
      const own = shelf.met.get(ofProducts) ?? this.#addResiduals(shelf, worth, { errors, ofProducts })
      knownSeries += own.known
      series += own.fitted
      if (own.known > 0)
        lastDays.set(shelf.market, Math.max(lastDays.get(shelf.market) ?? never, own.lastDay))
    })
    const lastDay = Math.max(never, ...lastDays.values())
    if (lastDay < since) return null
    const known = worth.map((level) => level || 0)
    for (const [product, { equations: own }] of ofProducts) {
      const left = residualsOf(own, known)
      let place: number | null = null
      for (let week = 0; week < windowWeeks; week++) {
        if (countInWeek(own, week) === 0) continue
        place ??= errors.placeOf(product)
        errors.add(place, week, left[week] as number)
      }
    }
    return {
      levels,
      ...errors.squares(
        (column) => countInWeek(equations, column),
        (week) => this.#columnOf(week),
      ),
      ...{ series, products: errors.size, knownSeries },
      // In order: series come as they were first met.
      marketDays: [...lastDays.values()]
        .sort((a, b) => b - a)
        .map((own) => (own < lastDay - 13 ? null : dayOf(own))),
      lastDay: dayOf(lastDay),
    }
  }

  /**
   * Adds what a fit leaves of the means of some series to the errors of their products: of all of them, or of those that no
   * product's equations hold.
   */
  #addResiduals(
    shelf: Shelf,
    worth: Float64Array,
    { errors, ofProducts }: { errors: ProductErrors; ofProducts: OfProducts },
  ): Met {
    const met = { known: 0, fitted: 0, lastDay: never }
    let areAllHeld = true
    // A hundred thousand series come by here: nothing is set aside for any of them.
    for (const row of shelf.rows) {
      const n = this.#counts[row] as number
      if (n === 0) continue
      met.known += 1
      met.lastDay = Math.max(met.lastDay, this.#lastDays[row] as number)
      if (n < 2) continue
      const product = this.#products[row] as number
      if (ofProducts.has(product)) {
        met.fitted += 1
        continue
      }
      areAllHeld = false
      const { means, at } = this.#placeOf(row)
      let own = 0
      for (let column = 0; column < windowWeeks; column++) {
        const log = means[at + column] as number
        if (!Number.isNaN(log)) own += log - (worth[column] as number)
      }
      // Weeks that nothing links to the others are worth NaN.
      if (Number.isNaN(own)) continue
      met.fitted += 1
      own /= n
      const place = errors.placeOf(product)
      const correction = Math.sqrt(n / (n - 1))
      for (let column = 0; column < windowWeeks; column++) {
        const log = means[at + column] as number
        if (Number.isNaN(log)) continue
        errors.add(place, column, (log - (worth[column] as number) - own) * correction)
      }
    }
    if (areAllHeld) shelf.met.set(ofProducts, met)
    return met
  }

  #forgetMet(): void {
    for (const shelf of this.#shelves.values()) shelf.met = new WeakMap()
  }

  #shelvesNamed(name: string): Iterable<Shelf> {
    return name === indexNames.nation ? this.#shelves.values() : (this.#shelvesOf.get(name) ?? [])
  }

  /** Gives the mean of a series in a column another value, NaN for none, and adds what that moves to some equations. */
  #setMean(row: number, column: number, mean: number, moved: NormalEquations | null): void {
    const { means, at } = this.#placeOf(row)
    const before = means[at + column] as number
    const count = this.#counts[row] as number
    if (Number.isNaN(before) !== Number.isNaN(mean)) {
      const sign = Number.isNaN(mean) ? -1 : 1
      this.#counts[row] = count + sign
      const isShort = Math.min(count, count + sign) < 2
      if (moved && isShort) addSeries(moved, this.#seriesAt(row), -1)
      means[at + column] = mean
      if (moved && isShort) addSeries(moved, this.#seriesAt(row))
      const own = { week: column, log: sign > 0 ? mean : before }
      if (moved && !isShort) addMean(moved, means.subarray(at, at + windowWeeks), own, sign)
      return
    }
    if (Number.isNaN(mean)) return
    means[at + column] = mean
    if (!moved || count < 2) return
    // It has as many means as before, in the same columns: only what they are worth has moved.
    const share = (mean - before) / count
    for (let other = 0; other < windowWeeks; other++) {
      if (Number.isNaN(means[at + other] as number)) continue
      moved.right[other] = (moved.right[other] as number) - share
    }
    moved.right[column] = (moved.right[column] as number) + mean - before
  }

  #equationsNamed(name: string): NormalEquations {
    if (name !== indexNames.nation) return this.#equationsOf(name)
    // Every series is in one category: together these are the country.
    const nation = emptyEquations(windowWeeks)
    for (const [scope, own] of this.#equations) if (isCategory(scope)) addEquations(nation, own)
    return nation
  }

  #equationsOf(name: string): NormalEquations {
    const known = this.#equations.get(name) ?? emptyEquations(windowWeeks)
    this.#equations.set(name, known)
    return known
  }

  #columnOf(week: number): number {
    return (this.#weeks + week) % windowWeeks
  }

  #placeOf(row: number): { means: Float64Array; at: number } {
    const means = this.#blocks[Math.floor(row / rowsAtOnce)] as Float64Array
    return { means, at: (row % rowsAtOnce) * windowWeeks }
  }

  /** Its means, their weeks counted by their columns. */
  #seriesAt(row: number): { weeks: number[]; logs: number[] } {
    const { means, at } = this.#placeOf(row)
    const series = { weeks: [] as number[], logs: [] as number[] }
    for (let column = 0; column < windowWeeks; column++) {
      const log = means[at + column] as number
      if (Number.isNaN(log)) continue
      series.weeks.push(column)
      series.logs.push(log)
    }
    return series
  }

  /** The row of a series; undefined of what is no good. */
  #rowOf(product: number, market: number, given?: readonly string[]): number | undefined {
    const ofMarket = this.#rows.get(market) ?? new Map<number, number>()
    const known = ofMarket.get(product)
    if (known !== undefined) return known
    const scopes = given ?? this.#scopesOf(product, market)
    if (scopes.length === 0) return undefined
    const row = this.#products.push(product) - 1
    this.#rows.set(market, ofMarket.set(product, row))
    this.#lastDays.push(never)
    this.#counts.push(0)
    if (row % rowsAtOnce === 0) this.#blocks.push(new Float64Array(rowsAtOnce * windowWeeks).fill(Number.NaN))
    const name = scopes.join('\n')
    const shelf = this.#shelves.get(name) ?? { market, scopes, rows: [], met: new WeakMap() }
    if (!this.#shelves.has(name))
      for (const scope of scopes) this.#shelvesOf.set(scope, [...(this.#shelvesOf.get(scope) ?? []), shelf])
    this.#shelves.set(name, shelf)
    shelf.rows.push(row)
    return row
  }
}

function dayOf(number: number): string {
  return new Date(number * 86_400_000).toISOString().slice(0, 10)
}
