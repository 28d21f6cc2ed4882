/** The weekly means of a series: the weeks in ascending order, and the mean of ln(price in CDF) in each. */
export type WeeklySeries = {
  product: number
  market: number
  /** 0 is the first week of the panel. */
  weeks: ArrayLike<number>
  logs: ArrayLike<number>
  /** Weight of the series, shared equally by its means; 1 when absent, never 0. */
  weight?: number
}

/**
 * The normal equations of a time-product dummy index with its series eliminated: Σ over the series of v [diag m − m m′ / n]
 * and of v m ∘ (y − ȳ), with m the weeks of a series, n their number, y its means and v = weight / n.
 */
export type NormalEquations = {
  readonly weeks: number
  /** Lower triangle, row by row (`rowOf`). */
  readonly matrix: Float64Array
  readonly right: Float64Array
  /** The number of series with a mean in each week. */
  readonly quoted: Int32Array
}

/** The solution of normal equations. */
export type Solution = {
  /**
   * ln of the index in each week: 0 in the first week of the largest group of linked weeks, null for a week not linked
   * to it.
   */
  levels: (number | null)[]
  /** Returns A⁻¹ x, one number per week: 0 in the first linked week and in weeks that are not linked. */
  solve(x: Float64Array): Float64Array
}

/** Returns the equations of a number of weeks without any series: all coefficients are 0. */
export function emptyEquations(weeks: number): NormalEquations {
  return {
    weeks,
    matrix: new Float64Array(rowOf(weeks)),
    right: new Float64Array(weeks),
    quoted: new Int32Array(weeks),
  }
}

/** Returns the offset of the row of a week in a lower triangle. */
export function rowOf(week: number): number {
  return (week * (week + 1)) / 2
}

/**
 * Adds a series to the equations; a series with a single week contributes nothing.
 *
 * @param first the week of the series that is week 0 of the equations: weeks outside the equations are ignored
 */
export function addSeries(
  { weeks: length, matrix, right, quoted }: NormalEquations,
  { weeks, logs, weight = 1 }: Omit<WeeklySeries, 'product' | 'market'>,
  first = 0,
): void {
  let from = 0
  while (from < weeks.length && (weeks[from] as number) < first) from++
  let end = from
  let sum = 0
  while (end < weeks.length && (weeks[end] as number) < first + length) sum += logs[end++] as number
  const n = end - from
  if (n < 2) return
  const mean = sum / n
  const v = weight / n
  const share = v / n
  for (let i = from; i < end; i++) {
    const week = (weeks[i] as number) - first
    const row = rowOf(week)
    right[week] = (right[week] as number) + v * ((logs[i] as number) - mean)
    quoted[week] = (quoted[week] as number) + 1
    for (let j = from; j <= i; j++) {
      const at = row - first + (weeks[j] as number)
      matrix[at] = (matrix[at] as number) - share
    }
    matrix[row + week] = (matrix[row + week] as number) + v
  }
}

/**
 * Solves the equations of the largest group of linked weeks, with its first week as the base; the matrix of such a
 * group is positive definite. The other weeks get null, and without any series all weeks do.
 */
export function solveEquations(equations: NormalEquations): Solution {
  const { weeks, matrix, right } = equations
  const [base, ...unknown] = largestComponent(equations)
  const size = unknown.length
  const lower = new Float64Array(size * size)
  for (let i = 0; i < size; i++) {
    const row = rowOf(unknown[i] as number)
    for (let j = 0; j <= i; j++) lower[i * size + j] = matrix[row + (unknown[j] as number)] as number
  }
  factorise(lower, size)
  const solve = (x: Float64Array) => {
    const found = new Float64Array(size)
    for (let i = 0; i < size; i++) found[i] = x[unknown[i] as number] as number
    substitute(lower, found)
    const solution = new Float64Array(weeks)
    for (let i = 0; i < size; i++) solution[unknown[i] as number] = found[i] as number
    return solution
  }
  const levels: (number | null)[] = Array(weeks).fill(null)
  if (base === undefined) return { levels, solve }
  const solution = solve(right)
  for (const week of [base, ...unknown]) levels[week] = solution[week] as number
  return { levels, solve }
}

/**
 * Replaces A, symmetric and positive definite, given by its lower triangle, with the factor L of A = L L′ (Cholesky).
 */
function factorise(lower: Float64Array, size: number): void {
  for (let row = 0; row < size; row++) {
    const own = row * size
    for (let column = 0; column <= row; column++) {
      const other = column * size
      let sum = lower[own + column] as number
      for (let k = 0; k < column; k++) sum -= (lower[own + k] as number) * (lower[other + k] as number)
      lower[own + column] = row === column ? Math.sqrt(sum) : sum / (lower[other + column] as number)
    }
  }
}

/** Replaces b with the solution of L L′ x = b. */
function substitute(lower: Float64Array, b: Float64Array): void {
  const size = b.length
  for (let row = 0; row < size; row++) {
    let sum = b[row] as number
    for (let k = 0; k < row; k++) sum -= (lower[row * size + k] as number) * (b[k] as number)
    b[row] = sum / (lower[row * size + row] as number)
  }
  for (let row = size - 1; row >= 0; row--) {
    let sum = b[row] as number
    for (let k = row + 1; k < size; k++) sum -= (lower[k * size + row] as number) * (b[k] as number)
    b[row] = sum / (lower[row * size + row] as number)
  }
}

/**
 * Returns the weeks that series link to each other, in order: of several groups the one with most means, the earliest
 * if tied.
 */
function largestComponent({ weeks, matrix, quoted }: NormalEquations): number[] {
  const isGrouped: boolean[] = Array(weeks).fill(false)
  let best: { weeks: number[]; means: number } = { weeks: [], means: 0 }
  for (let start = 0; start < weeks; start++) {
    if (isGrouped[start] || quoted[start] === 0) continue
    const group = [start]
    isGrouped[start] = true
    for (const week of group) {
      for (let other = 0; other < weeks; other++) {
        const at = rowOf(Math.max(week, other)) + Math.min(week, other)
        if (isGrouped[other] || matrix[at] === 0) continue
        isGrouped[other] = true
        group.push(other)
      }
    }
    const means = group.reduce((sum, week) => sum + (quoted[week] as number), 0)
    if (means > best.means) best = { weeks: group.sort((a, b) => a - b), means }
  }
  return best.weeks
}
