import { windowWeeks } from '#features/prices/price-index/price-index.rules.ts'

/** What a product adds to the error of each week, and in which weeks it has a mean. */
type OwnErrors = { sums: Float64Array; isQuoted: Uint8Array }

/** What the products of an index add to the error of each of its 53 weeks: what its margins come from. */
export class ProductErrors {
  readonly #all = new Map<number, OwnErrors>()

  /** How many products there are. */
  get size(): number {
    return this.#all.size
  }

  /** What a product adds, to be added to. */
  of(product: number): OwnErrors {
    const known = this.#all.get(product) ?? {
      sums: new Float64Array(windowWeeks),
      isQuoted: new Uint8Array(windowWeeks),
    }
    this.#all.set(product, known)
    return known
  }

  /** Says what a product adds, where it has a mean at all. */
  put(product: number, own: OwnErrors): void {
    if (own.isQuoted.includes(1)) this.#all.set(product, own)
  }

  /**
   * u u′ summed over the products, lower triangle, where u is what a product adds to the error of each week, divided by the series
   * quoted in it; and how many products each week has.
   *
   * @param seriesIn how many series are quoted in a week, as products count them
   * @param placeOf where a product keeps the week that comes at a place
   */
  squares(
    seriesIn: (week: number) => number,
    placeOf: (week: number) => number,
  ): { errors: number[]; quoted: number[] } {
    const places = Array.from({ length: windowWeeks }, (_, week) => placeOf(week))
    const series = places.map((place) => Math.max(1, seriesIn(place)))
    const squares = new Float64Array((windowWeeks * (windowWeeks + 1)) / 2)
    const quoted = new Array<number>(windowWeeks).fill(0)
    const own = new Float64Array(windowWeeks)
    for (const { sums, isQuoted } of this.#all.values()) {
      for (const [week, place] of places.entries())
        own[week] = (sums[place] as number) / (series[week] as number)
      let at = 0
      for (let row = 0; row < windowWeeks; row++) {
        quoted[row] = (quoted[row] as number) + (isQuoted[places[row] as number] as number)
        const first = own[row] as number
        for (let column = 0; column <= row; column++, at++) {
          squares[at] = (squares[at] as number) + first * (own[column] as number)
        }
      }
    }
    return { errors: [...squares], quoted }
  }
}
