import {
  addSeries,
  emptyEquations,
  type NormalEquations,
  rowOf,
  solveEquations,
} from '#features/prices/price-index/normal-equations.rules.ts'
import { windowWeeks } from '#features/prices/price-index/price-index.rules.ts'
import type { WeeklySeries } from '#features/prices/price-index/time-product-dummy.rules.ts'

/** What the weeks of a window are worth: natural logarithms, null where nothing links a week to the others. */
export type WindowLevels = readonly (number | null)[]

/** Series that count the same, and how many of them have two weeks of the window at least. */
type Group = { equations: NormalEquations; repeated: number }

/** Where in its own weeks a series stands in the window: from `first` up to `end`, which is outside. */
type Standing = { series: WeeklySeries; group: Group; first: number; end: number; sum: number }

type Weighing = {
  groupOf: (product: number) => number
  /** What each series of a group counts for in the window that ends with a week, by how many the groups have; null where all count the same. */
  weightsAt: (week: number, repeated: ReadonlyMap<number, number>) => ReadonlyMap<number, number> | null
}

/** All series count the same. */
const unweighted: Weighing = { groupOf: () => 0, weightsAt: () => null }

/**
 * What the weeks of each window of a panel are worth: what `fitWindow` gives week after week, at a tenth of the cost. The
 * equations follow the window: a series that neither gains nor loses a mean leaves them as they are, one that gains as many
 * as it loses changes a row.
 *
 * @param weeks how many the panel has
 * @returns the last week of each window, from the 53rd on, with its levels: natural logarithms
 */
export function* slidingWindows(
  panel: readonly WeeklySeries[],
  weeks: number,
  { groupOf, weightsAt }: Weighing = unweighted,
): Generator<{ week: number; levels: WindowLevels }> {
  const groups = new Map<number, Group>()
  const standings = panel.map((series): Standing => {
    const key = groupOf(series.product)
    const group = groups.get(key) ?? { equations: emptyEquations(weeks), repeated: 0 }
    groups.set(key, group)
    return { series, group, first: 0, end: 0, sum: 0 }
  })
  // One for all windows: those of years would be ten megabytes to throw away.
  const cut = emptyEquations(windowWeeks)
  for (let week = windowWeeks - 1; week < weeks; week++) {
    const start = week + 1 - windowWeeks
    moveAll(standings, start, week)
    const weights = weightsAt(week, new Map([...groups].map(([key, { repeated }]) => [key, repeated])))
    cutEquations(cut, groups, start, weights)
    yield { week, levels: solveEquations(cut) }
  }
}

/** How far the last of some weeks is from that of so many weeks earlier, a natural logarithm; null where one of them has no value. */
export function changeOver(levels: WindowLevels, weeks: number): number | null {
  const [before, after] = [levels[levels.length - 1 - weeks] ?? null, levels.at(-1) ?? null]
  return before === null || after === null ? null : after - before
}

/**
 * The index of a panel of weekly means as natural logarithms, 0 in its first linked week; null for a week that nothing
 * links to it (`spliceWindows`).
 *
 * @param panel with weeks counted from 0 to `weeks` − 1, a window at least
 */
export function chainLevels(panel: readonly WeeklySeries[], weeks: number): (number | null)[] {
  const windows = new Map([...slidingWindows(panel, weeks)].map(({ week, levels }) => [week, levels]))
  return spliceWindows(windows, weeks)
}

/**
 * Each week beyond the first window is spliced to all the weeks before it in its own window: the mean of
 * D(k) + d(t) − d(k), which drifts least when dear goods vanish (mean splice, de Haan 2015). Where nothing links a week to
 * those before it, as after more than a year without prices, the index begins anew with what its window links: old prices that
 * are brought in take nothing from what is known of today.
 *
 * @param windows what each is worth by its last week, counted from 0; one that nothing was collected in may be missing
 * @param weeks how many the index has, a window at least
 */
export function spliceWindows(windows: ReadonlyMap<number, WindowLevels>, weeks: number): (number | null)[] {
  const empty = Array<null>(windowWeeks).fill(null)
  const start = firstWhole(windows, weeks)
  const levels = [...Array<null>(start).fill(null), ...(windows.get(start + windowWeeks - 1) ?? empty)]
  for (let week = start + windowWeeks; week < weeks; week++) {
    const [fitted, first] = [windows.get(week) ?? empty, week + 1 - windowWeeks]
    const level = splice(levels, fitted, first)
    if (level === null && (fitted[windowWeeks - 1] ?? null) !== null) {
      levels.fill(null)
      for (let i = 0; i < windowWeeks - 1; i++) levels[first + i] = fitted[i] ?? null
      levels.push(fitted[windowWeeks - 1] ?? null)
    } else levels.push(level)
  }
  return levels
}

/**
 * The first week that a window begins with. Windows before it hold the first prices and nothing else: how long before these
 * an index is asked from would else tell what it is.
 */
function firstWhole(windows: ReadonlyMap<number, WindowLevels>, weeks: number): number {
  let first = weeks - windowWeeks
  for (const [week, [level]] of windows)
    if ((level ?? null) !== null) first = Math.min(first, week + 1 - windowWeeks)
  return first
}

function splice(levels: readonly (number | null)[], fitted: WindowLevels, first: number): number | null {
  const last = fitted[windowWeeks - 1] ?? null
  if (last === null) return null
  let [sum, links] = [0, 0]
  for (let i = 0; i < windowWeeks - 1; i++) {
    const [level, known] = [fitted[i] ?? null, levels[first + i] ?? null]
    if (level === null || known === null) continue
    sum += known + last - level
    links += 1
  }
  return links > 0 ? sum / links : null
}

/** Apart, because what a generator does itself is compiled late: each step of its loops would leave rubbish. */
function moveAll(standings: readonly Standing[], start: number, last: number): void {
  for (const standing of standings) moveTo(standing, start, last)
}

/**
 * Lets the equations of a series follow the window; what they say of weeks that have left it is not read any more. Two hundred
 * series of three years come by here 20 000 times: hardly anything is set aside.
 */
function moveTo(standing: Standing, start: number, last: number): void {
  const { series, group } = standing
  const { weeks, logs } = series
  const before = { first: standing.first, end: standing.end, sum: standing.sum }
  while (standing.end < weeks.length && (weeks[standing.end] as number) <= last) {
    standing.sum += logs[standing.end++] as number
  }
  while (standing.first < standing.end && (weeks[standing.first] as number) < start) {
    standing.sum -= logs[standing.first++] as number
  }
  const { first, end } = standing
  if (first === before.first && end === before.end) return
  const wasRepeated = before.end - before.first >= 2
  const isRepeated = end - first >= 2
  if (wasRepeated && isRepeated) follow(standing, before)
  else {
    addSeries(group.equations, slice(series, before.first, before.end), -1)
    addSeries(group.equations, slice(series, first, end))
  }
  group.repeated += Number(isRepeated) - Number(wasRepeated)
}

function follow(
  { series: { weeks, logs }, group, first, end, sum }: Standing,
  before: Pick<Standing, 'first' | 'end' | 'sum'>,
): void {
  const { matrix, right, together } = group.equations
  const mean = sum / (end - first)
  const meanMoved = mean - before.sum / (before.end - before.first)
  const share = 1 / (end - first)
  const moved = share - 1 / (before.end - before.first)
  for (let i = first; i < end; i++) {
    const week = weeks[i] as number
    const row = rowOf(week)
    const isNew = i >= before.end
    right[week] = (right[week] as number) + (isNew ? (logs[i] as number) - mean : -meanMoved)
    if (isNew) matrix[row + week] = (matrix[row + week] as number) + 1
    else if (moved === 0) continue
    for (let j = first; j <= i; j++) {
      const at = row + (weeks[j] as number)
      matrix[at] = (matrix[at] as number) - (isNew ? share : moved)
      if (isNew) together[at] = (together[at] as number) + 1
    }
  }
}

function slice({ weeks, logs }: WeeklySeries, first: number, end: number) {
  return { weeks: weeks.slice(first, end), logs: logs.slice(first, end) }
}

/** Makes of some equations those of a window's weeks alone, the groups with their weights; those without one are left out. */
function cutEquations(
  cut: NormalEquations,
  groups: ReadonlyMap<number, Group>,
  start: number,
  weights: ReadonlyMap<number, number> | null,
): void {
  cut.matrix.fill(0)
  cut.right.fill(0)
  cut.together.fill(0)
  for (const [key, { equations }] of groups) {
    const weight = weights ? (weights.get(key) ?? 0) : 1
    if (weight === 0) continue
    const { matrix, right, together } = equations
    for (let row = 0; row < windowWeeks; row++) {
      cut.right[row] = (cut.right[row] as number) + weight * (right[start + row] as number)
      for (let column = 0; column <= row; column++) {
        const [to, from] = [rowOf(row) + column, rowOf(start + row) + start + column]
        cut.matrix[to] = (cut.matrix[to] as number) + weight * (matrix[from] as number)
        cut.together[to] = (cut.together[to] as number) + (together[from] as number)
      }
    }
  }
}
