import { windowWeeks } from '#features/figures/price-index/price-index.rules.ts'
import { changeOver, spliceWindows, type WindowLevels } from '#features/figures/price-index/splice.rules.ts'
import type { Measure } from '#features/inflation/published/published.contract.ts'
import { addDays, dayMs } from '#shared/days.ts'

/** The figures of a week, each a fraction (0.034 is +3.4 %), null where a week that it needs has no value. */
export type WeekFigures = {
  /** Its Monday. */
  week: string
  /** Its number in its ISO year. */
  number: number
  weekly: number | null
  cumulative: number | null
  annualised: number | null
  yearly: number | null
}

/** The levels of windows of 53 weeks, by the Mondays of their last weeks. */
export type WindowsByWeek = ReadonlyMap<string, WindowLevels>

/**
 * Computes the figures of each week as the INS and the BCC publish them: change on the week before, since the last week
 * of the year before, that annualised, and on the week of a year before. If the index begins after the week to compare
 * with, uses the window that ends with its own week.
 *
 * @param levels ln of the index, one per week from the Monday `start` on
 * @param windows the windows that end with the weeks of the index, and with the week before
 */
export function weekFigures(levels: WindowLevels, start: string, windows: WindowsByWeek): WeekFigures[] {
  return levels.map((_, at) => {
    const week = addDays(start, 7 * at)
    const since = (weeks: number) => {
      const spliced = at < weeks ? levelsUpTo(week, weeks, windows) : levels.slice(0, at + 1)
      const change = changeOver(spliced, weeks)
      return change === null ? null : Math.expm1(change)
    }
    const number = isoWeekNumber(week)
    const cumulative = since(number)
    return {
      week,
      number,
      weekly: since(1),
      cumulative,
      annualised: cumulative === null ? null : annualise(cumulative, number),
      yearly: since(52),
    }
  })
}

/** Returns levels that contain a week and the one `weeks` before: its window, or, for 53 weeks, two spliced windows. */
function levelsUpTo(week: string, weeks: number, windows: WindowsByWeek): WindowLevels {
  const [before, own] = [windows.get(addDays(week, -7)), windows.get(week)]
  if (weeks < windowWeeks || !before || !own) return own ?? []
  return spliceWindows(
    new Map([
      [windowWeeks - 1, before],
      [windowWeeks, own],
    ]),
    windowWeeks + 1,
  )
}

/**
 * Annualises a cumulative change at constant pace: (1 + c)^(52/n) − 1.
 *
 * @param cumulative change since the last week of the year before, a fraction
 * @param week its number in the year, from 1
 */
export function annualise(cumulative: number, week: number): number {
  return (1 + cumulative) ** (52 / week) - 1
}

/** Returns the number of a week in its ISO year, 1 to 53: the first week is that of the year's first Thursday. */
export function isoWeekNumber(monday: string): number {
  const thursday = addDays(monday, 3)
  const firstDay = `${thursday.slice(0, 4)}-01-01`
  return 1 + Math.floor((Date.parse(thursday) - Date.parse(firstDay)) / (7 * dayMs))
}

/** Returns the number of weeks between a week and the one that a measure compares it with. */
export function weeksBack(measure: Measure, week: string): number {
  if (measure === 'weekly') return 1
  return measure === 'yearly' ? 52 : isoWeekNumber(week)
}

/**
 * Splits a change in francs exactly into that of the dollar rate and that of prices in dollars: (1 + francs) = (1 +
 * dollar) × (1 + in dollars).
 *
 * @param change ln I in francs
 * @param rates mean ln(francs per dollar) of the two weeks; null where one of them has no rate
 */
export function splitByDollar(change: number, rates: readonly [before: number | null, after: number | null]) {
  const [before, after] = rates
  if (before === null || after === null) return null
  const dollar = after - before
  return { francs: Math.expm1(change), dollar: Math.expm1(dollar), inDollars: Math.expm1(change - dollar) }
}
