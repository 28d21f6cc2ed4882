import type { WeeklySeries } from '#features/figures/price-index/normal-equations.rules.ts'
import {
  cutWeeks,
  isThin,
  type Movement,
  movementBetween,
  provisionalWeeks,
  windowWeeks,
} from '#features/figures/price-index/price-index.rules.ts'
import { chainLevels, changeBetween } from '#features/figures/price-index/splice.rules.ts'
import { fitTimeProductDummy } from '#features/figures/price-index/time-product-dummy.rules.ts'
import { addDays, lengthInDays, mondayOf, type Period } from '#shared/days.ts'

/** The weekly means of a selection, starting at its first Monday. */
export type Panel = {
  start: string
  weeks: number
  series: readonly PanelSeries[]
}

export type PanelSeries = WeeklySeries & {
  /** The number of prices behind each of its means. */
  counts: readonly number[]
  /** The day of its last price, if within the last two weeks of the panel. */
  lastDay: string | null
}

/** The day of the last price of each market; null where it is more than two weeks before the last price of all. */
export type MarketDays = readonly (string | null)[]

/** A change of prices over a period: the two weeks or days compared, and whether its basis is thin. */
export type MeasuredChange = Movement & { from: string; to: string; isThin: boolean }

export type IndexPoint = { week: string; value: number; isProvisional: boolean }

export type Measured = {
  change: MeasuredChange | null
  index: IndexPoint[]
  /** The weeks before the period, on the same base, to make thirteen in all. */
  earlierIndex: IndexPoint[]
  /** Series that the index rests on. */
  matchedSeries: number
}

/** A solved index over some weeks, and what it rests on. */
export type SolvedIndex = {
  /** The Monday of its first week. */
  start: string
  /** ln of the index in each week; null where no series links a week to the others. */
  levels: readonly (number | null)[]
  /** When it was computed, if prices were written since; null when it is up to date. */
  asOf: string | null
  /** Series in the fit of its last 53 weeks, and series with a price in those weeks. */
  matchedSeries: number
  knownSeries: number
  marketDays: MarketDays
  /** Returns the change between two weeks, counted from 0; null where one of them has no value. */
  movement(from: number, to: number): Movement | null
}

/** Fewest weeks drawn in a curve: a shorter period is shown with the weeks before it. */
const fewestShown = 13

/**
 * Returns the period whose weeks must be read to measure another period: at least the year before its end, since a fit
 * needs a whole window.
 *
 * @param compared the number of weeks between the two weeks that the change compares
 */
export function weeksRead({ start, end }: Period, compared = 0): Period {
  const earliest = addDays(mondayOf(end), -7 * Math.max(windowWeeks - 1, compared))
  const own = mondayOf(start)
  return { start: own < earliest ? own : earliest, end }
}

/** Counts the markets whose last price is more than 14 days before `until`, or before today if that is earlier. */
export function countSilent(days: MarketDays, until: string | undefined, today: string): number {
  const since = addDays(until !== undefined && until < today ? until : today, -14)
  return days.filter((own) => own === null || own < since).length
}

/**
 * Solves the index of a panel: a single fit for up to a year; beyond that, one-year windows spliced one after the
 * other, of which only the last has margins.
 */
export function solvePanel({ start, series, weeks }: Panel): SolvedIndex {
  const first = Math.max(0, weeks - windowWeeks)
  const year =
    first === 0 ? series : cutWeeks(series, first, windowWeeks).filter((each) => each.weeks.length > 0)
  const fit = fitTimeProductDummy(year, weeks - first)
  const own: SolvedIndex = {
    start: addDays(start, 7 * first),
    levels: fit.levels,
    asOf: null,
    marketDays: marketDaysOf(year),
    matchedSeries: fit.series.length,
    // If the last year holds one of several series, the selection must not be reported as a single series.
    knownSeries: year.length > 1 ? year.length : series.length,
    movement: (from, to) => movementBetween(fit, from, to),
  }
  return first === 0 ? own : splicedIndex(own, { start, levels: chainLevels(series, weeks) })
}

/** Returns the day of the last price of each market of some series. */
export function marketDaysOf(series: readonly Pick<PanelSeries, 'market' | 'lastDay'>[]): (string | null)[] {
  const days = new Map<number, string | null>()
  for (const { market, lastDay } of series) {
    const current = days.get(market) ?? null
    days.set(market, current === null || (lastDay !== null && lastDay > current) ? lastDay : current)
  }
  return [...days.values()]
}

/**
 * Returns an index over several years, given the index of its last 53 weeks: it rests on the series of those weeks, and
 * a change that starts before them has no margin.
 */
export function splicedIndex(
  year: SolvedIndex,
  { start, levels }: Pick<SolvedIndex, 'start' | 'levels'>,
): SolvedIndex {
  const before = levels.length - windowWeeks
  return {
    ...year,
    start,
    levels,
    movement(from, to) {
      const change = changeBetween(levels, from, to)
      if (change === null) return null
      const { series = 0, products = 0 } = lastMovement(year) ?? {}
      const own = from < before ? null : year.movement(from - before, to - before)
      return {
        margin: null,
        trendMargin: null,
        series,
        products,
        ...own,
        value: Math.expm1(change),
      }
    },
  }
}

/**
 * Returns the movement of the last week with a value compared to itself, which holds the series and products that any
 * change rests on.
 */
function lastMovement({ levels, movement }: SolvedIndex): Movement | null {
  const last = levels.findLastIndex((level) => level !== null)
  return last < 0 ? null : movement(last, last)
}

/**
 * Measures an index over a period: its points, 100 in the first week with a value, and its change between the last week
 * with a value and the week earlier by the length of the period (7, 30, 90, 365 days: 1, 4, 13, 52 weeks).
 *
 * @param isOpen whether the period starts with the first price; it is then compared from its first week with a value
 * @param today decides which weeks are provisional: the last eight, up to this day's
 */
export function measureIndex(
  { start, levels, matchedSeries, movement }: SolvedIndex,
  period: Period,
  { isOpen, today }: { isOpen: boolean; today: string },
): Measured {
  const mondayAt = (week: number) => addDays(start, 7 * week)
  const weekAt = (day: string) => Math.floor((lengthInDays({ start, end: day }) - 1) / 7)
  const last = levels.findLastIndex((level) => level !== null)
  const first = weekAt(period.start)
  // The first week may have no value (a series quoted only once), which would leave the whole period without a change.
  const from = isOpen
    ? levels.findIndex((level, week) => level !== null && week >= first)
    : last - weeksCompared(period)
  const moved = from < last ? movement(from, last) : null
  const provisionalFrom = addDays(mondayOf(today), -7 * (provisionalWeeks - 1))
  const ownFrom = Math.max(0, Math.min(first, from))
  const points = rebased(levels, ownFrom).flatMap(({ week, value }) =>
    week <= last - fewestShown && week < ownFrom
      ? []
      : [{ week: mondayAt(week), value, isProvisional: mondayAt(week) >= provisionalFrom }],
  )
  const own = mondayAt(ownFrom)
  return {
    change: moved && measuredChange(moved, mondayAt(from), mondayAt(last)),
    matchedSeries,
    index: points.filter(({ week }) => week >= own),
    earlierIndex: points.filter(({ week }) => week < own),
  }
}

/**
 * Returns the end of the last week with a value if its change compares it with a week before those that were read,
 * which happens when the weeks after it hold only new series; null where nothing more needs to be read.
 */
export function endToReach({ start, levels }: SolvedIndex, compared: number): string | null {
  const last = levels.findLastIndex((level) => level !== null)
  return last >= 0 && last < compared ? addDays(start, 7 * last + 6) : null
}

/** Returns the number of weeks between the two weeks that the change over a period compares. */
export function weeksCompared(period: Period): number {
  return Math.max(1, Math.round(lengthInDays(period) / 7))
}

/** Builds the change between two weeks, given by their Mondays. */
export function measuredChange(moved: Movement, from: string, to: string): MeasuredChange {
  return { ...moved, from, to, isThin: isThin(moved) }
}

/**
 * Converts levels to an index that is 100 in the first week with a value at or after `from`; omits weeks without a
 * value.
 */
function rebased(levels: readonly (number | null)[], from: number): { week: number; value: number }[] {
  const current = levels.flatMap((level, week) => (level === null ? [] : [{ week, level }]))
  const base = current.find(({ week }) => week >= from)?.level ?? 0
  return current.map(({ week, level }) => ({ week, value: 100 * Math.exp(level - base) }))
}
