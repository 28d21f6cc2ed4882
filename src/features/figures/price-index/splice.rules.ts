import {
  addSeries,
  emptyEquations,
  solveEquations,
  type WeeklySeries,
} from '#features/figures/price-index/normal-equations.rules.ts'
import { cutWeeks, type Weigh, windowWeeks } from '#features/figures/price-index/price-index.rules.ts'

/** ln of the index in each week of a window; null where no series links a week to the others. */
export type WindowLevels = readonly (number | null)[]

/**
 * Returns the levels of the 53 weeks that end with a week of a panel.
 *
 * @param weigh all series have the same weight when absent
 */
export function windowLevels(panel: readonly WeeklySeries[], week: number, weigh?: Weigh): WindowLevels {
  const first = week + 1 - windowWeeks
  const equations = emptyEquations(windowWeeks)
  if (weigh) for (const each of weigh(cutWeeks(panel, first, windowWeeks), week)) addSeries(equations, each)
  // Avoids copies: an index of several years has a hundred windows.
  else for (const each of panel) addSeries(equations, each, first)
  return solveEquations(equations).levels
}

/** Returns ln of the change from `weeks` earlier to the last week; null where either week has no value. */
export function changeOver(levels: WindowLevels, weeks: number): number | null {
  return changeBetween(levels, levels.length - 1 - weeks, levels.length - 1)
}

/** Returns ln of the change between two weeks; null where one of them has no value. */
export function changeBetween(levels: readonly (number | null)[], from: number, to: number): number | null {
  const [before, after] = [levels[from] ?? null, levels[to] ?? null]
  return before === null || after === null ? null : after - before
}

/**
 * Returns ln of the index of a panel of weekly means, 0 in its first linked week; null for a week not linked to it
 * (`spliceWindows`).
 *
 * @param panel with weeks counted from 0 to `weeks` − 1, at least one window
 */
export function chainLevels(panel: readonly WeeklySeries[], weeks: number): (number | null)[] {
  const windows = new Map<number, WindowLevels>()
  for (let week = windowWeeks - 1; week < weeks; week++) windows.set(week, windowLevels(panel, week))
  return spliceWindows(windows, weeks)
}

/**
 * Splices windows into one index. Each week after the first window is linked to all earlier weeks of its own window:
 * the mean of D(k) + d(t) − d(k), which drifts least when expensive goods vanish (mean splice, de Haan 2015). Where
 * nothing links a week to those before it, as after more than a year without prices, the index restarts with the weeks
 * that its window links: so importing old prices does not change today's figures.
 *
 * @param windows levels by the last week of the window, counted from 0; a window without prices may be missing
 * @param weeks the number of weeks of the index, at least one window
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
 * Returns the start of the earliest window whose first week has a value. Windows before it hold only the first prices,
 * so the index would depend on how far before these it is requested from.
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
