import { windowWeeks } from '#features/prices/price-index/price-index.rules.ts'

/** Room is made for so many products at first. */
const productsAtFirst = 64

/** What the products of an index add to the error of each of its 53 weeks: what its margins come from. */
export class ProductErrors {
  readonly #places = new Map<number, number>()
  #sums = new Float64Array(productsAtFirst * windowWeeks)
  #isQuoted = new Uint8Array(productsAtFirst * windowWeeks)

  /** How many products there are. */
  get size(): number {
    return this.#places.size
  }

  /** Where a product is kept. */
  placeOf(product: number): number {
    const known = this.#places.get(product)
    if (known !== undefined) return known
    const place = this.#places.size * windowWeeks
    this.#places.set(product, place)
    if (place === this.#sums.length) {
      this.#sums = twiceAsLong(this.#sums, new Float64Array(2 * place))
      this.#isQuoted = twiceAsLong(this.#isQuoted, new Uint8Array(2 * place))
    }
    return place
  }

  /** Adds what a product, named by its place, has in a week. */
  add(place: number, week: number, error: number): void {
    const at = place + week
    this.#sums[at] = (this.#sums[at] as number) + error
    this.#isQuoted[at] = 1
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
    for (const first of this.#places.values()) {
      for (let week = 0; week < windowWeeks; week++) {
        const at = first + (places[week] as number)
        own[week] = (this.#sums[at] as number) / (series[week] as number)
        quoted[week] = (quoted[week] as number) + (this.#isQuoted[at] as number)
      }
      let at = 0
      for (let row = 0; row < windowWeeks; row++) {
        const error = own[row] as number
        if (error === 0) {
          at += row + 1
          continue
        }
        for (let column = 0; column <= row; column++, at++) {
          squares[at] = (squares[at] as number) + error * (own[column] as number)
        }
      }
    }
    return { errors: [...squares], quoted }
  }
}

function twiceAsLong<Numbers extends Float64Array | Uint8Array>(numbers: Numbers, longer: Numbers): Numbers {
  longer.set(numbers)
  return longer
}
