import type { WeeklySeries } from '#features/figures/price-index/normal-equations.rules.ts'
import {
  cutWeeks,
  type Movement,
  movementBetween,
  provisionalWeeks,
  windowWeeks,
} from '#features/figures/price-index/price-index.rules.ts'
import { chainLevels } from '#features/figures/price-index/splice.rules.ts'
import { fitTimeProductDummy } from '#features/figures/price-index/time-product-dummy.rules.ts'
import { addDays, lengthInDays, mondayOf, type Period } from '#shared/days.ts'

/** The weekly means of a selection, from its first Monday on. */
export type Panel = {
  start: string
  weeks: number
  series: readonly PanelSeries[]
}

export type PanelSeries = WeeklySeries & {
  /** How many prices each of its means is of. */
  counts: readonly number[]
  /** The day of its last price, where that is in the last two weeks of the panel. */
  lastDay: string | null
}

/** The day of the last price of each market; null where it is more than two weeks before the last of all. */
export type MarketDays = readonly (string | null)[]

/** What happened to prices over a period: between which two weeks or days, and what that rests on. */
export type MeasuredChange = Movement & { from: string; to: string; isThin: boolean }

export type IndexPoint = { week: string; value: number; isProvisional: boolean }

export type Measured = {
  change: MeasuredChange | null
  index: IndexPoint[]
  /** The weeks before it, on its base, so that there are thirteen in all. */
  earlierIndex: IndexPoint[]
  /** Series that the index rests on. */
  matchedSeries: number
}

/** An index over some weeks, solved, and what it rests on. */
export type SolvedIndex = {
  /** The Monday of its first week. */
  start: string
  /** What each week is worth: natural logarithms, null where nothing links a week to the others. */
  levels: readonly (number | null)[]
  /** When it was computed, where something was written since; null where it holds everything. */
  asOf: string | null
  /** Series in the fit of its last 53 weeks, of those with a price in them. */
  matchedSeries: number
  knownSeries: number
  marketDays: MarketDays
  /** The change between two weeks, counted from the first; null where one of them has no value. */
  movement(from: number, to: number): Movement | null
}

/** A curve of fewer weeks tells nothing: a short period is shown with those before it. */
const fewestShown = 13

/**
 * The days whose weeks are read to measure a period: a year before its end at least, since a fit needs a whole window.
 *
 * @param compared how many weeks lie between the two that its change compares
 */
export function weeksRead({ start, end }: Period, compared = 0): Period {
  const earliest = addDays(mondayOf(end), -7 * Math.max(windowWeeks - 1, compared))
  const own = mondayOf(start)
  return { start: own < earliest ? own : earliest, end }
}

/** How many of these markets have no price in the 14 days up to the last day asked for, or to today where that is before. */
export function countSilent(days: MarketDays, until: string | undefined, today: string): number {
  const since = addDays(until !== undefined && until < today ? until : today, -13)
  return days.filter((own) => own === null || own < since).length
}

/**
 * The index of a panel: one fit over a year, and beyond it windows of a year spliced one after the other, of which only the
 * last tells margins.
 */
export function solvePanel({ start, series, weeks }: Panel): SolvedIndex {
  const first = Math.max(0, weeks - windowWeeks)
  const year =
    first === 0 ? series : cutWeeks(series, first, windowWeeks).filter((each) => each.weeks.length > 0)
  const fit = fitTimeProductDummy(year, weeks - first)
  const own: SolvedIndex = {
    ...{ start: addDays(start, 7 * first), levels: fit.levels, asOf: null },
    marketDays: marketDaysOf(year),
    matchedSeries: fit.series.length,
    // Where a year has one series of several, it is not the only one of the selection.
    knownSeries: year.length > 1 ? year.length : series.length,
    movement: (from, to) => movementBetween(fit, from, to),
  }
  return first === 0 ? own : splicedIndex(own, { start, levels: chainLevels(series, weeks) })
}

/** When each market of some series had a price last. */
export function marketDaysOf(series: readonly Pick<PanelSeries, 'market' | 'lastDay'>[]): (string | null)[] {
  const days = new Map<number, string | null>()
  for (const { market, lastDay } of series) {
    const current = days.get(market) ?? null
    days.set(market, current === null || (lastDay !== null && lastDay > current) ? lastDay : current)
  }
  return [...days.values()]
}

/**
 * The index of years, by what its last 53 weeks are as an index: it rests on the series of these, and a change from before
 * them has no margin.
 */
export function splicedIndex(
  year: SolvedIndex,
  { start, levels }: Pick<SolvedIndex, 'start' | 'levels'>,
): SolvedIndex {
  const before = levels.length - windowWeeks
  return {
    ...year,
    ...{ start, levels },
    movement(from, to) {
      const change = changeBetween(levels, from, to)
      if (change === null) return null
      const { series = 0, products = 0 } = lastMovement(year) ?? {}
      const own = from < before ? null : year.movement(from - before, to - before)
      return {
        ...{ margin: null, trendMargin: null, series, products },
        ...own,
        value: Math.expm1(change),
      }
    },
  }
}

/** Its last week that has a value with itself: what a change rests on, whatever it is compared with. */
function lastMovement({ levels, movement }: SolvedIndex): Movement | null {
  const last = levels.findLastIndex((level) => level !== null)
  return last < 0 ? null : movement(last, last)
}

/** ln of the change between two weeks; null where one of them has no value. */
function changeBetween(levels: readonly (number | null)[], from: number, to: number): number | null {
  const [before, after] = [levels[from] ?? null, levels[to] ?? null]
  return before === null || after === null ? null : after - before
}

/**
 * The index over a period, 100 in its first week with a value, and the change between its last such week and the one as
 * many weeks earlier as the period lasts (7, 30, 90, 365 days: 1, 4, 13, 52 weeks).
 *
 * @param isOpen whether the period starts where prices start: it is then compared from its first week with a value
 * @param today the weeks up to eight before it may still be revised
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
  // What was quoted once before all else has no value: it would leave all dates without a change.
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
 * The end of the last week that has a value, where the week that a change compares it with lies before those that were read:
 * weeks behind it that hold new series alone have none. Null where nothing more is to be read.
 */
export function endToReach({ start, levels }: SolvedIndex, compared: number): string | null {
  const last = levels.findLastIndex((level) => level !== null)
  return last >= 0 && last < compared ? addDays(start, 7 * last + 6) : null
}

/** How many weeks lie between the two that a change over a period compares. */
export function weeksCompared(period: Period): number {
  return Math.max(1, Math.round(lengthInDays(period) / 7))
}

/** A movement between two weeks, given by their Mondays. */
export function measuredChange(moved: Movement, from: string, to: string): MeasuredChange {
  return { ...moved, from, to, isThin: moved.series < 5 || moved.products < 3 }
}

/** The levels as an index that is 100 in the first week from one on that has a value; weeks without one left out. */
function rebased(levels: readonly (number | null)[], from: number): { week: number; value: number }[] {
  const current = levels.flatMap((level, week) => (level === null ? [] : [{ week, level }]))
  const base = current.find(({ week }) => week >= from)?.level ?? 0
  return current.map(({ week, level }) => ({ week, value: 100 * Math.exp(level - base) }))
}
