import { addDays, mondayOf } from '#shared/days.ts'
import { groupBy } from '#shared/group-by.ts'
import { medianOf } from '#shared/median.ts'

/** The mean ln(price in CDF) of a week. */
export type WeekMean = { week: string; log: number }

/** Common weeks required before a gap can be called usual. */
const fewestWeeks = 12
/** Number of weeks whose median is the usual gap. */
const weeksOfUsual = 52
/** Smallest difference from the usual gap that is reported: 10 %. */
const leastDeparture = Math.log(1.1)

/**
 * Compares two markets: the gap in the last week that both were quoted in, and their usual gap, the median of the weeks
 * of the year before. It is unusual when it differs from that by more than 10 % and by more than twice the spread of
 * the weeks before (1.4826 times their median absolute deviation).
 *
 * @param today the last common week must have ended within 30 days of it
 * @returns fractions; null with fewer than twelve common weeks before, or if the last one is too old
 */
export function gapBetween(one: readonly WeekMean[], other: readonly WeekMean[], today: string) {
  const others = new Map(other.map(({ week, log }) => [week, log]))
  const gaps = one.flatMap(({ week, log }) => {
    const against = others.get(week)
    return against === undefined ? [] : [{ week, gap: log - against }]
  })
  const last = gaps.sort((a, b) => (a.week < b.week ? -1 : 1)).at(-1)
  if (!last || addDays(last.week, 6) < addDays(today, -30)) return null
  const from = addDays(last.week, -7 * weeksOfUsual)
  const before = gaps.filter(({ week }) => week >= from && week < last.week).map(({ gap }) => gap)
  if (before.length < fewestWeeks) return null
  const usual = medianOf(before)
  const spread = 1.4826 * medianOf(before.map((gap) => Math.abs(gap - usual)))
  const departure = Math.abs(last.gap - usual)
  return {
    now: Math.expm1(last.gap),
    week: last.week,
    usual: Math.expm1(usual),
    weeks: before.length,
    isUnusual: departure > Math.max(leastDeparture, 2 * spread),
    departure,
  }
}

/** Returns « Goma 18 % plus cher que Bukavu, d’habitude 7 %. » Both gaps are fractions, the first never below zero. */
export function gapSentence({
  market,
  other,
  now,
  usual,
}: {
  market: string
  other: string
  now: number
  usual: number
}): string {
  const [current, habit] = [Math.round(now * 100), Math.round(usual * 100)]
  const than = /^[aeiouyàâäéèêëîïôöûü]/i.test(other) ? `qu’${other}` : `que ${other}`
  if (current === 0) {
    return `${market} au même prix ${than}, d’habitude ${Math.abs(habit)}\u00a0% ${habit > 0 ? 'plus' : 'moins'} cher.`
  }
  const usually = habit === 0 ? 'au même prix' : habit > 0 ? `${habit}\u00a0%` : `${-habit}\u00a0% moins cher`
  return `${market} ${current}\u00a0% plus cher ${than}, d’habitude ${usually}.`
}

/** Returns the first day with a value in every series; null where there is none. */
export function firstCommonDay(series: readonly (readonly { date: string }[])[]): string | null {
  const [first, ...rest] = series.filter((points) => points.length > 0)
  const days = rest.map((points) => new Set(points.map(({ date }) => date)))
  return first?.find(({ date }) => days.every((each) => each.has(date)))?.date ?? null
}

/**
 * Converts values to an index that is 100 on `base`, or on the first day of the series if it has no value on that day.
 */
export function asIndex<Point extends { date: string; value: number }>(
  points: readonly Point[],
  base: string | null,
): Point[] {
  const at = points.find(({ date }) => date === base) ?? points[0]
  return at ? points.map((point) => ({ ...point, value: (100 * point.value) / at.value })) : []
}

/** Returns the mean logarithm of each week, every quote having the same weight. */
export function weekMeans(days: readonly { date: string; count: number; logs: number }[]): WeekMean[] {
  const weeks = groupBy(days, ({ date }) => mondayOf(date))
  return [...weeks].map(([week, own]) => ({
    week,
    log: own.reduce((sum, { logs }) => sum + logs, 0) / own.reduce((sum, { count }) => sum + count, 0),
  }))
}
