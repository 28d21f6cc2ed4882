import { windowWeeks } from '#features/prices/price-index/price-index.rules.ts'

const rowsOfBlock = 1_024

/**
 * The means of series over the weeks of a window, a row for each series: as lists of their own, those of a hundred thousand
 * would take three times the memory, and the garbage collector would go through all of them again and again.
 */
export class MeansTable {
  readonly #blocks: Float64Array[] = []
  readonly #free: number[] = []
  #rows = 0

  /** A row that nobody has, without a mean. */
  takeRow(): number {
    const free = this.#free.pop()
    if (free !== undefined) return free
    if (this.#rows % rowsOfBlock === 0) {
      this.#blocks.push(new Float64Array(rowsOfBlock * windowWeeks).fill(Number.NaN))
    }
    return this.#rows++
  }

  giveBack(row: number): void {
    for (let week = 0; week < windowWeeks; week++) this.set(row, week, Number.NaN)
    this.#free.push(row)
  }

  /** `NaN` where the series has no mean in the week. */
  at(row: number, week: number): number {
    const block = this.#blocks[Math.floor(row / rowsOfBlock)] as Float64Array
    return block[(row % rowsOfBlock) * windowWeeks + week] as number
  }

  set(row: number, week: number, mean: number): void {
    const block = this.#blocks[Math.floor(row / rowsOfBlock)] as Float64Array
    block[(row % rowsOfBlock) * windowWeeks + week] = mean
  }

  /** Forgets a week of all series. */
  clearWeek(week: number): void {
    for (const block of this.#blocks) {
      for (let at = week; at < block.length; at += windowWeeks) block[at] = Number.NaN
    }
  }

  /** The weeks in which a series has a mean, counted from `first` on and around, and these means. */
  read(row: number, first = 0): { weeks: number[]; logs: number[] } {
    const series = { weeks: [] as number[], logs: [] as number[] }
    for (let week = 0; week < windowWeeks; week++) {
      const log = this.at(row, (first + week) % windowWeeks)
      if (Number.isNaN(log)) continue
      series.weeks.push(week)
      series.logs.push(log)
    }
    return series
  }
}
