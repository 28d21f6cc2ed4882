import { addDays, mondayOf } from '#shared/days.ts'

/** The mean ln(price in CDF) of a week. */
export type WeekMean = { week: string; log: number }

/** Weeks that both must have been quoted in before anything is said to be usual. */
const fewestWeeks = 12
/** Weeks of which the usual gap is the median. */
const weeksOfUsual = 52
/** The smallest departure from the usual gap that is worth saying: 10 %. */
const leastDeparture = Math.log(1.1)

/**
 * How much dearer one market is than another in the last week that both were quoted in, beside their usual gap: the median
 * of the weeks of the year before. It is unusual when it departs from that by more than 10 % and by more than twice the
 * spread of the weeks before (1.4826 times their median absolute deviation).
 *
 * @param today the last common week must have ended within 30 days of it
 * @returns fractions; null where fewer than twelve weeks before tell what is usual, or the last is old
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

/** « Goma 18 % plus cher que Bukavu, d’habitude 7 %. » Both are fractions, the first never below zero. */
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

/** The first day that every series has a value on; null where they share none. */
export function firstCommonDay(series: readonly (readonly { date: string }[])[]): string | null {
  const [first, ...rest] = series.filter((points) => points.length > 0)
  const days = rest.map((points) => new Set(points.map(({ date }) => date)))
  return first?.find(({ date }) => days.every((each) => each.has(date)))?.date ?? null
}

/** Values as an index, 100 on a day, or on the first of the series when it has no value on that day. */
export function asIndex<Point extends { date: string; value: number }>(
  points: readonly Point[],
  base: string | null,
): Point[] {
  const at = points.find(({ date }) => date === base) ?? points[0]
  return at ? points.map((point) => ({ ...point, value: (100 * point.value) / at.value })) : []
}

/** The weekly mean logarithms of days, each quote counting once. */
export function weekMeans(days: readonly { date: string; count: number; logs: number }[]): WeekMean[] {
  const weeks = Map.groupBy(days, ({ date }) => mondayOf(date))
  return [...weeks].map(([week, own]) => ({
    week,
    log: own.reduce((sum, { logs }) => sum + logs, 0) / own.reduce((sum, { count }) => sum + count, 0),
  }))
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? 0)) / 2
}
