import {
  addSeries,
  emptyEquations,
  type NormalEquations,
} from '#features/prices/price-index/normal-equations.rules.ts'
import { windowWeeks } from '#features/prices/price-index/price-index.rules.ts'
import { indexNames, type Pause } from '#features/prices/stored-index/figures.rules.ts'

/** Series that enter the same indices, by their rows. */
export type SeriesTogether = { scopes: readonly string[]; rows: readonly number[] }

/** Equations of products by product, with the name of the index of its category. */
export type OfProducts = ReadonlyMap<number, OfProduct>

type OfProduct = { equations: NormalEquations; category: string }

/** The means of a series, their weeks counted by their columns. */
type Means = { weeks: number[]; logs: number[] }

/** Where the series of a window are found. */
type Series = {
  seriesOf: (index: string) => Iterable<SeriesTogether>
  productOf: (row: number) => number
  meansOf: (row: number) => Means
}

/** So many series are gone through in a millisecond. */
const seriesAtOnce = 4_000
/** A product of so many series has equations of its own: they take the room of forty of them, and are asked instead of all. */
const seriesOfEquations = 80
/** In an index of so many series products have such equations; all the series of a smaller one are gone through. */
const seriesOfLarge = 20_000

/**
 * The normal equations of the products with many series in the country or in a large place, whose series count as they do for
 * the errors of these: a changed price asks five hundred products and not a hundred thousand series.
 */
export class ProductEquations {
  /** By the names of the country and of places, as far as they are known. */
  readonly #known = new Map<string, Map<number, OfProduct>>()
  readonly #series: Series

  constructor(series: Series) {
    this.#series = series
  }

  forget(): void {
    this.#known.clear()
  }

  /** Puts a series in the place of what it was. */
  put({
    product,
    scopes,
    before,
    after,
  }: {
    product: number
    scopes: readonly string[]
    before: Means
    after: Means
  }): void {
    for (const name of [indexNames.nation, ...scopes]) {
      const ofProduct = this.#known.get(name)?.get(product)
      if (!ofProduct) continue
      addSeries(ofProduct.equations, weighed(before), -1)
      addSeries(ofProduct.equations, weighed(after))
    }
  }

  /** Those of an index; of a category, which has all the series of its products, the country's. None of a small place. */
  async of(name: string, pause: Pause): Promise<OfProducts> {
    if (isCategory(name)) {
      const all = await this.of(indexNames.nation, pause)
      return new Map([...all].filter(([, { category }]) => category === name))
    }
    const known = this.#known.get(name)
    if (known) return known
    const own = new Map<number, OfProduct>()
    const counts = new Map<number, number>()
    let series = 0
    for (const { rows } of this.#series.seriesOf(name)) {
      series += rows.length
      for (const row of rows) {
        const product = this.#series.productOf(row)
        counts.set(product, (counts.get(product) ?? 0) + 1)
      }
    }
    if (name !== indexNames.nation && series < seriesOfLarge) return own
    this.#known.set(name, own)
    await through(this.#series.seriesOf(name), pause, ({ scopes, rows }) => {
      const category = scopes.find(isCategory) ?? ''
      for (const row of rows) {
        const product = this.#series.productOf(row)
        if ((counts.get(product) ?? 0) < seriesOfEquations) continue
        const ofProduct = own.get(product) ?? { equations: emptyEquations(windowWeeks), category }
        own.set(product, ofProduct)
        addSeries(ofProduct.equations, weighed(this.#series.meansOf(row)))
      }
    })
    return own
  }
}

/** Does something with all of some series; others are served meanwhile. */
export async function through<Together extends SeriesTogether>(
  all: Iterable<Together>,
  pause: Pause,
  work: (together: Together) => void,
): Promise<void> {
  let met = 0
  for (const together of all) {
    work(together)
    met += together.rows.length
    if (met < seriesAtOnce) continue
    met = 0
    await pause()
  }
}

export function isCategory(name: string): boolean {
  return name.startsWith('category ')
}

/** A series as it counts for the error of its product (`movementBetween`). */
function weighed({ weeks, logs }: Means) {
  return { weeks, logs, weight: Math.sqrt(weeks.length / (weeks.length - 1)) }
}
