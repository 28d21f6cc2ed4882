import { trendOf } from '#features/figures/price-index/price-index.rules.ts'
import type { PriceSummary } from '#features/figures/summary/summary.contract.ts'
import { changeOfLogs, windowsOf } from '#features/figures/summary/summary.rules.ts'
import { addDays, type Period } from '#shared/days.ts'
import { groupBy } from '#shared/group-by.ts'

export const mostFollows = 200
/** Days of prices returned with a follow. */
export const daysShown = 90
const daysOfChange = 30

/** Returns the windows of the change over the 30 days that end with a day. */
export function monthWindows(today: string): { before: Period; after: Period } {
  const windows = windowsOf({ start: addDays(today, 1 - daysOfChange), end: today }, false)
  if (!windows) throw new Error('two windows of 7 days do not overlap in 30')
  return windows
}

/** A price: its local day, its amount in CDF and the natural logarithm of it. */
export type DatedQuote = readonly [day: string, cdf: number, log: number]

/**
 * Computes the mean of each day in CDF, and the change of one series over the 30 days that end today.
 *
 * @param quotes in order of days
 */
export function movementOfQuotes(quotes: readonly DatedQuote[], today: string) {
  const windows = monthWindows(today)
  const logsIn = ({ start, end }: Period) =>
    quotes.flatMap(([day, , log]) => (day >= start && day <= end ? [log] : []))
  const change = changeOfLogs(logsIn(windows.before), logsIn(windows.after), windows)
  return { points: dailyMeans(quotes), change, trend: trendOf(change) }
}

function dailyMeans(quotes: readonly DatedQuote[]) {
  const days = groupBy(quotes, ([day]) => day)
  return [...days].map(([date, ofDay]) => ({
    date,
    value: Math.round((100 * ofDay.reduce((sum, [, cdf]) => sum + cdf, 0)) / ofDay.length) / 100,
  }))
}

type Change = NonNullable<PriceSummary['change']>

/**
 * Returns the largest rises, then the largest falls, at most `most` of each. Only changes beyond their margin and 1 %
 * count; a change without a margin (equal prices) does not.
 */
export function largestMoves<Row extends { change: Change }>(rows: readonly Row[], most: number): Row[] {
  const sizeOf = ({ change }: Row) => Math.abs(Math.log1p(change.value))
  const sure = rows
    .filter(
      (row) =>
        row.change.margin !== null && sizeOf(row) > row.change.margin && Math.abs(row.change.value) > 0.01,
    )
    .toSorted((a, b) => sizeOf(b) - sizeOf(a))
  const rises = sure.filter(({ change }) => change.value > 0)
  const falls = sure.filter(({ change }) => change.value < 0)
  return [...rises.slice(0, most), ...falls.slice(0, most)]
}
