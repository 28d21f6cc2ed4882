import {
  addSeries,
  emptyEquations,
  solveEquations,
  type WeeklySeries,
} from '#features/figures/price-index/normal-equations.rules.ts'
import { cutWeeks, type Weigh, windowWeeks } from '#features/figures/price-index/price-index.rules.ts'

/** What the weeks of a window are worth: natural logarithms, null where nothing links a week to the others. */
export type WindowLevels = readonly (number | null)[]

/**
 * What the 53 weeks that end with a week of a panel are worth.
 *
 * @param weigh all series count alike when absent
 */
export function windowLevels(panel: readonly WeeklySeries[], week: number, weigh?: Weigh): WindowLevels {
  const first = week + 1 - windowWeeks
  const equations = emptyEquations(windowWeeks)
  if (weigh) for (const each of weigh(cutWeeks(panel, first, windowWeeks), week)) addSeries(equations, each)
  // Nothing is copied: an index of years has a hundred windows.
  else for (const each of panel) addSeries(equations, each, first)
  return solveEquations(equations).levels
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
  const windows = new Map<number, WindowLevels>()
  for (let week = windowWeeks - 1; week < weeks; week++) windows.set(week, windowLevels(panel, week))
  return spliceWindows(windows, weeks)
}

/**
 * Each week beyond the first window is spliced to all the weeks before it in its own window: the mean of
 * D(k) + d(t) − d(k), which drifts least when dear goods vanish (mean splice, de Haan 2015). Where nothing links a week to
 * those before it, as after more than a year without prices, the index begins anew with what its window links: old prices that
 * are brought in change nothing in the figures of today.
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
    const [level, earlier] = [fitted[i] ?? null, levels[first + i] ?? null]
    if (level === null || earlier === null) continue
    sum += earlier + last - level
    links += 1
  }
  return links > 0 ? sum / links : null
}
