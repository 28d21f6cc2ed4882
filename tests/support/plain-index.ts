// The time-product dummy index by the slowest way: one unknown a series and one a week, dense least squares, no window,
// no elimination of series, nothing shared with the program.

export type PlainQuote = { series: string; product: number; day: string; cdf: number }

type Period = { start: string; end: string }
type Cell = { series: string; product: number; week: string; log: number }

const dayMs = 86_400_000
const addDays = (day: string, n: number) => new Date(Date.parse(day) + n * dayMs).toISOString().slice(0, 10)
const weekOf = (day: string) => addDays(day, -((new Date(day).getUTCDay() + 6) % 7))
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

const nothing = { matchedSeries: 0, filled: () => [], index: [], earlierIndex: [], change: null }

/** @param isOpen no first day was asked for: the first week with a value is the one compared with */
export function plainIndex(quotes: PlainQuote[], period: Period, isOpen: boolean) {
  if (quotes.length === 0) return nothing
  const cells = [...Map.groupBy(quotes, ({ series, day }) => `${series} ${weekOf(day)}`).values()].map(
    (own): Cell => ({
      series: own[0]?.series ?? '',
      product: own[0]?.product ?? 0,
      week: weekOf(own[0]?.day ?? ''),
      log: sum(own.map(({ cdf }) => Math.log(cdf))) / own.length,
    }),
  )
  const linked = linkedCells(
    cells.filter(({ series }) => cells.filter((cell) => cell.series === series).length > 1),
  )
  const weeks = [...new Set(linked.map(({ week }) => week))].sort()
  const series = [...new Set(linked.map((cell) => cell.series))]
  const unknowns = [...series, ...weeks.slice(1)]
  const rows = linked.map((cell) =>
    unknowns.map((name) => Number(name === cell.series || name === cell.week)),
  )
  const solution = leastSquares(
    rows,
    linked.map(({ log }) => log),
  )
  const at = (name: string) => solution[unknowns.indexOf(name)] ?? 0
  const last = weeks.at(-1)
  if (last === undefined) return nothing
  const days = Math.round((Date.parse(period.end) - Date.parse(period.start)) / dayMs) + 1
  const from = isOpen ? (weeks[0] ?? '') : addDays(last, -7 * Math.max(1, Math.round(days / 7)))
  const hasChange = from < last && weeks.includes(from)
  const shownFrom = from < weekOf(period.start) ? from : weekOf(period.start)
  const shown = weeks.filter((week) => week >= shownFrom)
  const earlier = weeks.filter((week) => week < shownFrom && week > addDays(last, -7 * 13))
  const pointAt = (week: string) => ({ week, value: 100 * Math.exp(at(week) - at(shown[0] ?? '')) })
  return {
    matchedSeries: series.length,
    filled,
    index: shown.map(pointAt),
    earlierIndex: earlier.map(pointAt),
    change: hasChange
      ? { value: Math.exp(at(last) - at(from)) - 1, from, to: last, error: errorOf(from, last) }
      : null,
  }

  /** What a series moved by between two weeks, ln, where a week without a price has the one that the fit gives it. */
  function filled(before: string, after: string): { series: string; product: number; log: number }[] {
    return series.map((name) => {
      const own = linked.filter((cell) => cell.series === name)
      const level = (week: string) => own.find((cell) => cell.week === week)?.log ?? at(name) + at(week)
      return { series: name, product: own[0]?.product ?? 0, log: level(after) - level(before) }
    })
  }

  /** The standard error clustered by product, as analytics word it; null where a week rests on one product. */
  function errorOf(before: string, after: string) {
    const products = [...new Set(linked.map(({ product }) => product))]
    const count = (week: string) => linked.filter((cell) => cell.week === week).length
    const residual = (name: string, week: string) => {
      const cell = linked.find((each) => each.series === name && each.week === week)
      return cell ? cell.log - at(cell.series) - at(cell.week) : 0
    }
    const sums = products.map((product) =>
      sum(
        series
          .filter((name) => linked.some((cell) => cell.series === name && cell.product === product))
          .map((name) => {
            const n = linked.filter((cell) => cell.series === name).length
            return (
              (residual(name, after) / count(after) - residual(name, before) / count(before)) *
              Math.sqrt(n / (n - 1))
            )
          }),
      ),
    )
    const g = products.length
    const counts = [before, after].map(
      (week) => new Set(linked.filter((cell) => cell.week === week).map(({ product }) => product)).size,
    )
    const quoted = Math.min(...counts)
    return {
      error: quoted > 1 ? Math.sqrt((g / (g - 1)) * sum(sums.map((each) => each * each))) : null,
      products: g,
      /** Products of the week that has fewest. */
      quoted,
    }
  }
}

type PlainChange = NonNullable<ReturnType<typeof plainIndex>['change']>

/** By its margin, and by the wider one that the products of the week with fewest would give. */
export function plainTrend({ value, error: { error, products, quoted } }: PlainChange) {
  if (error === null) return null
  const size = Math.abs(value)
  if (size <= 0.01 || size <= studentOf(products) * error) return 'stable'
  if (size <= studentOf(quoted) * error) return null
  return value > 0 ? 'up' : 'down'
}

/** Student’s 97.5 % quantile for the means of so many products, from tables. */
export function studentOf(products: number): number {
  return { 2: 12.706204736, 3: 4.3026527297, 4: 3.1824463053 }[products] ?? Number.NaN
}

/** The largest group of cells that series and weeks link, the earliest of equals. */
function linkedCells(cells: Cell[]): Cell[] {
  let left = [...cells].sort((a, b) => (a.week < b.week ? -1 : 1))
  let best: Cell[] = []
  while (left.length > 0) {
    let group = left.slice(0, 1)
    for (let size = 0; size < group.length; ) {
      size = group.length
      group = left.filter((cell) =>
        group.some(({ series, week }) => series === cell.series || week === cell.week),
      )
    }
    if (group.length > best.length) best = group
    left = left.filter((cell) => !group.includes(cell))
  }
  return best
}

/** Solves the normal equations by Gauss and Jordan with the largest pivot first. */
function leastSquares(rows: number[][], right: number[]): number[] {
  const size = rows[0]?.length ?? 0
  const cell = (row: number[] | undefined, column: number) => row?.[column] ?? 0
  const matrix = Array.from({ length: size }, (_, i) => [
    ...Array.from({ length: size }, (_, j) => sum(rows.map((row) => cell(row, i) * cell(row, j)))),
    sum(rows.map((row, k) => cell(row, i) * (right[k] ?? 0))),
  ])
  for (let column = 0; column < size; column++) {
    const below = matrix.slice(column)
    const pivot = below.reduce((a, b) => (Math.abs(cell(b, column)) > Math.abs(cell(a, column)) ? b : a))
    const place = matrix.indexOf(pivot)
    ;[matrix[column], matrix[place]] = [pivot, matrix[column] ?? []]
    for (const row of matrix) {
      if (row === pivot) continue
      const factor = cell(row, column) / cell(pivot, column)
      for (let k = column; k <= size; k++) row[k] = cell(row, k) - factor * cell(pivot, k)
    }
  }
  return matrix.map((row, i) => cell(row, size) / cell(row, i))
}
