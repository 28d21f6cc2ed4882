import {
  addEquations,
  addSeries,
  emptyEquations,
  type NormalEquations,
  solveEquations,
} from '#features/prices/price-index/normal-equations.rules.ts'
import { windowWeeks } from '#features/prices/price-index/price-index.rules.ts'
import type { WindowLevels } from '#features/prices/price-index/sliding-window.rules.ts'
import { indexNames, type Pause } from '#features/prices/stored-index/book.rules.ts'
import { MeansTable } from '#features/prices/stored-index/means-table.rules.ts'

/** The means of all series that have one in a week: those at the same place of the three lists belong together. */
export type WeekMeans = { products: readonly number[]; markets: readonly number[]; logs: readonly number[] }

/** Series that enter the same indices, by their rows. */
type Shelf = { scopes: readonly string[]; rows: number[] }

/** The weekly means of all series over 53 weeks, which move on week after week: they take the columns of the table in turn. */
export class MovingWindow {
  readonly #means = new MeansTable()
  readonly #rows = new Map<string, number>()
  readonly #shelves = new Map<string, Shelf>()
  readonly #scopesOf: (product: number, market: number) => readonly string[]
  #weeks = 0

  /** @param scopesOf the names of the indices that a series enters beside the country's; none where it is no good */
  constructor(scopesOf: (product: number, market: number) => readonly string[]) {
    this.#scopesOf = scopesOf
  }

  /** Takes in the week after the last; the one of 53 weeks before is forgotten. */
  add({ products, markets, logs }: WeekMeans): void {
    const column = this.#weeks++ % windowWeeks
    this.#means.clearWeek(column)
    for (let i = 0; i < products.length; i++) {
      this.#means.set(this.#rowOf(products[i] as number, markets[i] as number), column, logs[i] as number)
    }
  }

  /**
   * What its weeks are worth for every index, by name; those that nothing links are left out.
   *
   * @param pause lets others be served between two pieces of work
   */
  async levels(pause: Pause): Promise<Map<string, WindowLevels>> {
    const sums = new Map<string, NormalEquations>()
    for (const { scopes, rows } of this.#shelves.values()) {
      const own = emptyEquations(windowWeeks)
      for (const row of rows) addSeries(own, this.#means.read(row, this.#weeks % windowWeeks))
      for (const name of [indexNames.nation, ...scopes]) {
        const sum = sums.get(name) ?? emptyEquations(windowWeeks)
        sums.set(name, sum)
        addEquations(sum, own)
      }
      await pause()
    }
    const levels = new Map<string, WindowLevels>()
    for (const [name, sum] of sums) {
      const own = solveEquations(sum)
      if (own.some((level) => level !== null)) levels.set(name, own)
      await pause()
    }
    return levels
  }

  #rowOf(product: number, market: number): number {
    const key = `${product} ${market}`
    const known = this.#rows.get(key)
    if (known !== undefined) return known
    const row = this.#means.takeRow()
    this.#rows.set(key, row)
    const scopes = this.#scopesOf(product, market)
    if (scopes.length > 0) {
      const name = scopes.join('\n')
      const shelf = this.#shelves.get(name) ?? { scopes, rows: [] }
      this.#shelves.set(name, shelf)
      shelf.rows.push(row)
    }
    return row
  }
}
