/**
 * The normal equations of a time-product dummy index with its series eliminated: Σ over the series of v [diag m − m m′ / n]
 * and of v m ∘ (y − ȳ), with m the weeks of a series, n their number, y its means and v its weight. Series can be taken
 * out again.
 */
export type NormalEquations = {
  readonly weeks: number
  /** Lower triangle, by rows (`rowOf`). */
  readonly matrix: Float64Array
  readonly right: Float64Array
  /** How many series have a mean in both of two weeks, lower triangle; on the diagonal, in a week. */
  readonly together: Int32Array
}

export function emptyEquations(weeks: number): NormalEquations {
  return {
    weeks,
    matrix: new Float64Array(rowOf(weeks)),
    right: new Float64Array(weeks),
    together: new Int32Array(rowOf(weeks)),
  }
}

/** Makes them those of no series again. */
export function clearEquations({ matrix, right, together }: NormalEquations): void {
  for (const numbers of [matrix, right, together]) numbers.fill(0)
}

/** Where the row of a week begins in a lower triangle. */
export function rowOf(week: number): number {
  return (week * (week + 1)) / 2
}

/**
 * Adds a series, or takes it out again.
 *
 * @param series its weeks in ascending order, and its mean in each; one with a single week says nothing
 */
export function addSeries(
  { matrix, right, together }: NormalEquations,
  { weeks, logs, weight = 1 }: { weeks: ArrayLike<number>; logs: ArrayLike<number>; weight?: number },
  sign: 1 | -1 = 1,
): void {
  const n = weeks.length
  if (n < 2) return
  let sum = 0
  for (let i = 0; i < n; i++) sum += logs[i] as number
  const mean = sum / n
  const signed = sign * weight
  const share = signed / n
  for (let i = 0; i < n; i++) {
    const week = weeks[i] as number
    const row = rowOf(week)
    right[week] = (right[week] as number) + signed * ((logs[i] as number) - mean)
    matrix[row + week] = (matrix[row + week] as number) + signed
    for (let j = 0; j <= i; j++) {
      const at = row + (weeks[j] as number)
      matrix[at] = (matrix[at] as number) - share
      together[at] = (together[at] as number) + sign
    }
  }
}

/**
 * Adds a mean to a series that has two others at least, or takes it out again: a third of what the whole series costs.
 *
 * @param others the means of the series by week, `NaN` where there is none; what stands in the week itself is not read
 */
export function addMean(
  { matrix, right, together }: NormalEquations,
  others: Float64Array,
  { week, log }: { week: number; log: number },
  sign: 1 | -1 = 1,
): void {
  const weeks: number[] = []
  let sum = 0
  for (let each = 0; each < others.length; each++) {
    if (each !== week && Number.isNaN(others[each])) continue
    weeks.push(each)
    if (each !== week) sum += others[each] as number
  }
  const n = weeks.length
  const mean = (sum + log) / n
  const [share, loss] = [sign / n, sign / (n - 1) - sign / n]
  for (let i = 0; i < n; i++) {
    const one = weeks[i] as number
    const row = rowOf(one)
    right[one] = (right[one] as number) + sign * ((one === week ? log : sum / (n - 1)) - mean)
    for (let j = 0; j <= i; j++) {
      const other = weeks[j] as number
      const isOfIt = one === week || other === week
      matrix[row + other] = (matrix[row + other] as number) + (isOfIt ? -share : loss)
      if (isOfIt) together[row + other] = (together[row + other] as number) + sign
    }
    if (one === week) matrix[row + week] = (matrix[row + week] as number) + sign
  }
}

/** Adds the series of other equations over the same weeks. */
export function addEquations(to: NormalEquations, { matrix, right, together }: NormalEquations): void {
  for (let at = 0; at < matrix.length; at++) {
    to.matrix[at] = (to.matrix[at] as number) + (matrix[at] as number)
    to.together[at] = (to.together[at] as number) + (together[at] as number)
  }
  for (let week = 0; week < right.length; week++) {
    to.right[week] = (to.right[week] as number) + (right[week] as number)
  }
}

/** The same equations with their weeks counted from another on, what came before it last. */
export function rotateEquations(equations: NormalEquations, first: number): NormalEquations {
  const { weeks, matrix, right, together } = equations
  const turned = emptyEquations(weeks)
  for (let row = 0; row < weeks; row++) {
    const own = (row + first) % weeks
    turned.right[row] = right[own] as number
    for (let column = 0; column <= row; column++) {
      const other = (column + first) % weeks
      const [to, from] = [rowOf(row) + column, rowOf(Math.max(own, other)) + Math.min(own, other)]
      turned.matrix[to] = matrix[from] as number
      turned.together[to] = together[from] as number
    }
  }
  return turned
}

/**
 * What is left of the right sides when the weeks are worth so much: of the equations of some series, what the fit leaves of
 * their means, summed by week. A week without a value counts for nothing.
 */
export function residualsOf(
  { weeks, matrix, right }: NormalEquations,
  worth: ArrayLike<number>,
): Float64Array {
  const left = Float64Array.from(right)
  for (let row = 0, at = 0; row < weeks; row++) {
    const own = worth[row] as number
    let sum = 0
    for (let column = 0; column < row; column++, at++) {
      const each = matrix[at] as number
      sum += each * (worth[column] as number)
      left[column] = (left[column] as number) - each * own
    }
    left[row] = (left[row] as number) - sum - (matrix[at++] as number) * own
  }
  return left
}

/**
 * What each week is worth: natural logarithms, 0 in the first of the weeks that most means are linked to, null for a week
 * that nothing links to these.
 */
export function solveEquations(equations: NormalEquations): (number | null)[] {
  const { weeks, matrix, right } = equations
  const linked = largestComponent(equations)
  const levels: (number | null)[] = Array(weeks).fill(null)
  if (linked.length === 0) return levels
  const unknown = linked.slice(1)
  const size = unknown.length
  if (scratch.length < size * size) scratch = new Float64Array(size * size)
  const lower = scratch
  for (let i = 0; i < size; i++) {
    const row = rowOf(unknown[i] as number)
    for (let j = 0; j <= i; j++) lower[i * size + j] = matrix[row + (unknown[j] as number)] as number
  }
  const solution = solveByCholesky(
    lower,
    unknown.map((week) => right[week] as number),
  )
  for (let i = 0; i <= size; i++) levels[linked[i] as number] = i === 0 ? 0 : (solution[i - 1] as number)
  return levels
}

/** What is solved in: an index of years has a hundred windows, each of which would take memory of its own. */
let scratch = new Float64Array(0)

/** How many of the series have a mean in a week. */
export function countInWeek({ together }: NormalEquations, week: number): number {
  return together[rowOf(week) + week] as number
}

/** Solves A x = b, A symmetric and positive definite, given by its lower triangle, which is overwritten. */
function solveByCholesky(lower: Float64Array, right: readonly number[]): number[] {
  const size = right.length
  const at = (row: number, column: number) => lower[row * size + column] as number
  for (let row = 0; row < size; row++) {
    const own = row * size
    for (let column = 0; column <= row; column++) {
      const other = column * size
      let sum = lower[own + column] as number
      for (let k = 0; k < column; k++) sum -= (lower[own + k] as number) * (lower[other + k] as number)
      lower[own + column] = row === column ? Math.sqrt(sum) : sum / (lower[other + column] as number)
    }
  }
  const x = [...right]
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
function largestComponent(equations: NormalEquations): number[] {
  const { weeks, together } = equations
  const groupOf: number[] = Array(weeks).fill(-1)
  let best: { weeks: number[]; means: number } = { weeks: [], means: 0 }
  for (let start = 0; start < weeks; start++) {
    if (groupOf[start] !== -1 || countInWeek(equations, start) === 0) continue
    const group = [start]
    groupOf[start] = start
    for (const week of group) {
      for (let other = 0; other < weeks; other++) {
        const at = rowOf(Math.max(week, other)) + Math.min(week, other)
        if (groupOf[other] !== -1 || together[at] === 0) continue
        groupOf[other] = start
        group.push(other)
      }
    }
    const means = group.reduce((sum, week) => sum + countInWeek(equations, week), 0)
    if (means > best.means) best = { weeks: group.sort((a, b) => a - b), means }
  }
  return best.weeks
}
