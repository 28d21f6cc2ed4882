import { dayMs } from '#shared/days.ts'
import { groupBy } from '#shared/group-by.ts'
// The time-product dummy index by the slowest method: one unknown per series and one per week, dense weighted least
// squares, no window, no elimination of series, no code shared with the program. A quote in a series of n weeks weighs
// 1/n.

export type PlainQuote = { series: string; product: number; day: string; cdf: number }

type Period = { start: string; end: string }
type Cell = { series: string; product: number; week: string; log: number }

const addDays = (day: string, n: number) => new Date(Date.parse(day) + n * dayMs).toISOString().slice(0, 10)
const weekOf = (day: string) => addDays(day, -((new Date(day).getUTCDay() + 6) % 7))
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

const nothing = { matchedSeries: 0, filled: () => [], index: [], earlierIndex: [], change: null }

/** @param isOpen no first day was given: the first week with a value is the base */
export function plainIndex(quotes: PlainQuote[], period: Period, isOpen: boolean) {
  if (quotes.length === 0) return nothing
  const cells = [...groupBy(quotes, ({ series, day }) => `${series} ${weekOf(day)}`).values()].map(
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
  const weightOf = (cell: Cell) => 1 / linked.filter((each) => each.series === cell.series).length
  const rows = linked.map((cell) =>
    unknowns.map((name) => Number(name === cell.series || name === cell.week)),
  )
  const normal = unknowns.map((_, i) =>
    unknowns.map((_, j) =>
      sum(linked.map((cell, k) => weightOf(cell) * cellAt(rows, k, i) * cellAt(rows, k, j))),
    ),
  )
  const solution = solve(
    normal,
    unknowns.map((_, i) => sum(linked.map((cell, k) => weightOf(cell) * cellAt(rows, k, i) * cell.log))),
  )
  const at = (name: string) => solution[unknowns.indexOf(name)] ?? 0
  const residual = (cell: Cell) => cell.log - at(cell.series) - at(cell.week)
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

  /** Returns the change (ln) of each series between two weeks; the mean is the change of the index. */
  function filled(before: string, after: string): { series: string; product: number; log: number }[] {
    const weighed = (week: string) => sum(linked.filter((cell) => cell.week === week).map(weightOf))
    const above = (name: string, week: string) => {
      const cell = linked.find((each) => each.series === name && each.week === week)
      return cell ? (weightOf(cell) * residual(cell)) / weighed(week) : 0
    }
    return series.map((name) => ({
      series: name,
      product: linked.find((cell) => cell.series === name)?.product ?? 0,
      log: at(after) - at(before) + series.length * (above(name, after) - above(name, before)),
    }))
  }

  /**
   * Returns the standard error by the full sandwich estimator, clustered by product (by series when there is one
   * product); null when a week has one cluster, or when it is zero.
   */
  function errorOf(before: string, after: string) {
    const products = new Set(linked.map(({ product }) => product))
    const clusterOf = (cell: Cell) => (products.size > 1 ? String(cell.product) : cell.series)
    const clusters = [...new Set(linked.map(clusterOf))]
    const contrast = unknowns.map((name) => Number(name === after) - Number(name === before))
    const influence = solve(normal, contrast)
    const pulls = clusters.map((cluster) =>
      sum(
        linked.map((cell, k) =>
          clusterOf(cell) === cluster
            ? weightOf(cell) * residual(cell) * sum(influence.map((each, i) => each * cellAt(rows, k, i)))
            : 0,
        ),
      ),
    )
    const g = clusters.length
    const quoted = Math.min(
      ...[before, after].map(
        (week) => new Set(linked.filter((cell) => cell.week === week).map(clusterOf)).size,
      ),
    )
    const error = Math.sqrt((g / (g - 1)) * sum(pulls.map((each) => each * each)))
    return {
      error: quoted > 1 && error > 1e-6 ? error : null,
      products: products.size,
      clusters: g,
      /** Number of clusters in the week that has fewest. */
      quoted,
    }
  }
}

type PlainChange = NonNullable<ReturnType<typeof plainIndex>['change']>

/**
 * Returns the trend by the margin of error, and by the wider margin that the clusters of the smallest week would give.
 */
export function plainTrend({ value, error: { error, clusters, quoted } }: PlainChange) {
  if (error === null) return null
  const size = Math.abs(Math.log1p(value))
  const margin = studentOf(clusters) * error
  if (size <= margin) return margin <= 0.05 ? 'stable' : null
  if (Math.abs(value) <= 0.01) return 'stable'
  if (size <= studentOf(quoted) * error) return null
  return value > 0 ? 'up' : 'down'
}

/** Returns Student’s 97.5 % quantile for the means of this many clusters, from tables. */
export function studentOf(clusters: number): number {
  const quantiles = [12.706204736, 4.3026527297, 3.1824463053, 2.7764451052, 2.5705818356, 2.4469118511]
  return quantiles[clusters - 2] ?? Number.NaN
}

/** Returns the largest group of cells connected by series and weeks; the earliest when equal. */
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

function cellAt(rows: number[][], row: number, column: number): number {
  return rows[row]?.[column] ?? 0
}

/** Solves A x = b by Gauss-Jordan elimination with partial pivoting. */
function solve(a: number[][], b: number[]): number[] {
  const size = b.length
  const cell = (row: number[] | undefined, column: number) => row?.[column] ?? 0
  const matrix = a.map((row, i) => [...row, b[i] ?? 0])
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
