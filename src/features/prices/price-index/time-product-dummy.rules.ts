/** The weekly means of a series: in which weeks (0 is the first of the panel), and the mean of ln(price in CDF) in each. */
export type WeeklySeries = { product: number; weeks: readonly number[]; logs: readonly number[] }

/** Fitted series, and what each week is worth: ln of the index, 0 in the base week, null where nothing links a week to it. */
export type Fit = {
  levels: (number | null)[]
  /** Those with a mean in two of the linked weeks at least: nothing else tells of a change. */
  series: readonly FittedSeries[]
}

export type FittedSeries = WeeklySeries & {
  /** What the fit leaves of each mean. */
  residuals: readonly number[]
}

/**
 * The time-product dummy index of a panel with holes: least squares of y(i,w) = a(i) + d(w), d(base) = 0, every mean with
 * the same weight (Aizcorbe, Corrado and Doms 2003; ILO and IMF, Consumer Price Index Manual 2020, chapter 10). Where
 * every series is quoted in both of two weeks it is the Jevons index between them.
 *
 * The base is the first of the weeks that most means are linked to.
 *
 * @param weeks how many weeks the panel has
 * @returns natural logarithms
 */
export function fitTimeProductDummy(panel: readonly WeeklySeries[], weeks: number): Fit {
  const repeated = panel.filter(({ weeks }) => weeks.length >= 2)
  const linked = largestComponent(repeated, weeks)
  const base = linked[0]
  if (base === undefined) return { levels: Array(weeks).fill(null), series: [] }

  // Weeks but the base one, as rows of the normal equations.
  const rowOf = new Int32Array(weeks).fill(-1)
  for (const [row, week] of linked.slice(1).entries()) rowOf[week] = row
  const isLinked = new Set(linked)
  const series = repeated.filter(({ weeks: [first = -1] }) => isLinked.has(first))
  const solution = solveNormalEquations(series, rowOf, linked.length - 1)

  const levels = Array.from({ length: weeks }, (_, week) =>
    isLinked.has(week) ? levelAt(solution, rowOf, week) : null,
  )
  return { levels, series: series.map((each) => ({ ...each, residuals: residualsOf(each, levels) })) }
}

// Σ over the series of [diag m − m m′ / n] and of m ∘ (y − ȳ), with m the weeks of a series and n their number.
function solveNormalEquations(
  series: readonly WeeklySeries[],
  rowOf: Int32Array,
  size: number,
): Float64Array {
  const matrix = new Float64Array(size * size)
  const right = new Float64Array(size)
  for (const { weeks, logs } of series) {
    const share = 1 / weeks.length
    const mean = meanOf(logs)
    for (let i = 0; i < weeks.length; i++) {
      const row = rowOf[weeks[i] as number] as number
      if (row < 0) continue
      right[row] = (right[row] as number) + (logs[i] as number) - mean
      matrix[row * size + row] = (matrix[row * size + row] as number) + 1
      for (let j = 0; j <= i; j++) {
        const column = rowOf[weeks[j] as number] as number
        if (column < 0) continue
        const at = Math.max(row, column) * size + Math.min(row, column)
        matrix[at] = (matrix[at] as number) - share
      }
    }
  }
  return solveByCholesky(matrix, right, size)
}

/** Solves A x = b, A symmetric and positive definite, given by its lower triangle, which is overwritten. */
function solveByCholesky(lower: Float64Array, right: Float64Array, size: number): Float64Array {
  const at = (row: number, column: number) => lower[row * size + column] as number
  for (let column = 0; column < size; column++) {
    for (let row = column; row < size; row++) {
      let sum = at(row, column)
      for (let k = 0; k < column; k++) sum -= at(row, k) * at(column, k)
      lower[row * size + column] = row === column ? Math.sqrt(sum) : sum / at(column, column)
    }
  }
  const x = Float64Array.from(right)
  for (let row = 0; row < size; row++) {
    let sum = x[row] as number
    for (let k = 0; k < row; k++) sum -= at(row, k) * (x[k] as number)
    x[row] = sum / at(row, row)
  }
  for (let row = size - 1; row >= 0; row--) {
    let sum = x[row] as number
    for (let k = row + 1; k < size; k++) sum -= at(k, row) * (x[k] as number)
    x[row] = sum / at(row, row)
  }
  return x
}

/** The weeks that series link to each other, in order: of several groups the one with most means, the earliest of equals. */
function largestComponent(panel: readonly WeeklySeries[], weeks: number): number[] {
  const parent = Int32Array.from({ length: weeks }, (_, week) => week)
  const rootOf = (week: number): number => {
    let at = week
    while (parent[at] !== at) {
      parent[at] = parent[parent[at] as number] as number
      at = parent[at] as number
    }
    return at
  }
  const means = new Int32Array(weeks)
  for (const {
    weeks: [first = 0, ...others],
    logs,
  } of panel) {
    for (const other of others) parent[rootOf(other)] = rootOf(first)
    means[first] = (means[first] as number) + logs.length
  }
  const sizes = new Map<number, number>()
  for (let week = 0; week < weeks; week++) {
    const root = rootOf(week)
    sizes.set(root, (sizes.get(root) ?? 0) + (means[week] as number))
  }
  const most = Math.max(0, ...sizes.values())
  if (most === 0) return []
  const all = Array.from({ length: weeks }, (_, week) => week)
  const root = rootOf(all.find((week) => sizes.get(rootOf(week)) === most) as number)
  return all.filter((week) => rootOf(week) === root)
}

function levelAt(solution: Float64Array, rowOf: Int32Array, week: number): number {
  const row = rowOf[week] as number
  return row < 0 ? 0 : (solution[row] as number)
}

function residualsOf({ weeks, logs }: WeeklySeries, levels: readonly (number | null)[]): number[] {
  const deflated = logs.map((log, i) => log - (levels[weeks[i] as number] ?? 0))
  const own = meanOf(deflated)
  return deflated.map((each) => each - own)
}

function meanOf(values: readonly number[]): number {
  let sum = 0
  for (const value of values) sum += value
  return sum / values.length
}
