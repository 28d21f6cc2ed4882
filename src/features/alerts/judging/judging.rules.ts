import { isPossibleThreshold } from '#features/alerts/alerts.rules.ts'
import { daysCompared } from '#features/figures/price-index/price-index.rules.ts'
import { isOutlier } from '#features/prices/check/check.rules.ts'
import { addDays, lengthInDays } from '#shared/days.ts'
import { groupBy } from '#shared/group-by.ts'
import { niceStep } from '#shared/linear-scale.ts'
import { medianOf } from '#shared/median.ts'

/** The condition of a rule on a series. */
export type Condition = {
  kind: 'level' | 'change' | 'unusual' | 'silence'
  direction: 'above' | 'below'
  /** CDF for a level, percent for a change, days for a silence. */
  threshold: number
  /** Length in days of the period of a change. */
  periodDays: number
}

/** A price of a series: its id, local day, amount in CDF and the natural logarithm of that. */
export type JudgedQuote = { id: number; day: string; cdf: number; log: number }

/**
 * A time at which a rule rings: its day, its last quote, the measured value, and the number of quotes that it took: two
 * (`confirmations`), or one for a silence.
 */
export type Ring = { day: string; quote: JudgedQuote; measure: number; quotes: number }

export type Judgement = { rings: Ring[]; isRinging: boolean }

/** Number of consecutive quotes needed to change the state of a rule. */
const confirmations = 2
/** Quotes further apart than this (days) do not confirm each other. */
const confirmingDays = 14
/**
 * How far a price must come back across the threshold before its rule can ring again: a share for a level, percentage
 * points for a change.
 */
const hysteresis = { level: 0.03, change: 3 }
/** Log ratio from which a quote that differs from both its neighbours is a typing error. */
const slip = Math.log(2)
const outlierDays = 90

/** Returns how many days of earlier quotes the judgement of a day needs; at least as many as it uses. */
export function daysBefore({ kind, threshold, periodDays }: Condition): number {
  return Math.ceil(kind === 'silence' ? threshold : periodDays) + outlierDays
}

/**
 * Replays a series against a rule, oldest quote first.
 *
 * @param quotes in order of days
 * @param today for silence, which rings without a quote
 */
export function judge(condition: Condition, quotes: readonly JudgedQuote[], today: string): Judgement {
  if (condition.kind === 'silence') return judgeSilence(condition.threshold, quotes, today)
  const believed = condition.kind === 'unusual' ? quotes : withoutSlips(quotes)
  const measure = measureOf(condition, believed)
  const rings: Ring[] = []
  let isRinging = false
  let inARow = 0
  let previous: JudgedQuote | undefined
  for (const [i, quote] of believed.entries()) {
    const measured = measure(i)
    if (measured === null) continue
    const isClose = previous && lengthInDays({ start: previous.day, end: quote.day }) - 1 <= confirmingDays
    previous = quote
    const says = isRinging ? isBack(condition, measured) : isBeyond(condition, measured)
    inARow = says ? (isClose ? inARow : 0) + 1 : 0
    if (inARow < confirmations) continue
    isRinging = !isRinging
    if (isRinging) rings.push({ day: quote.day, quote, measure: measured, quotes: confirmations })
    inARow = 0
  }
  return { rings, isRinging }
}

function isBeyond({ kind, direction, threshold }: Condition, measure: number): boolean {
  if (kind === 'unusual') return measure !== 0
  const side = direction === 'above' ? 1 : -1
  // A price equal to the threshold is neither above nor below it.
  return kind === 'level' ? side * (measure - threshold) > 0 : side * measure > threshold
}

function isBack({ kind, direction, threshold }: Condition, measure: number): boolean {
  if (kind === 'unusual') return measure === 0
  const side = direction === 'above' ? 1 : -1
  return kind === 'level'
    ? side * measure <= side * threshold * (1 - side * hysteresis.level)
    : side * measure <= threshold - hysteresis.change
}

/**
 * Returns the measured value at each quote: CDF, percent, or 1 for an unusual price; null where it cannot be measured.
 */
function measureOf(condition: Condition, quotes: readonly JudgedQuote[]): (i: number) => number | null {
  if (condition.kind === 'level') return (i) => quotes[i]?.cdf ?? null
  if (condition.kind === 'change') return changesOf(quotes, condition.periodDays)
  return (i) => unusualAt(condition.direction, quotes, i)
}

/**
 * Returns the change of one series, in percent, over a period of days that ends on each quote's day: the ratio of the
 * geometric means of two windows (`daysCompared`), of at least two quotes each.
 */
function changesOf(quotes: readonly JudgedQuote[], period: number): (i: number) => number | null {
  const width = daysCompared(period)
  const sums = [0]
  for (const { log } of quotes) sums.push((sums.at(-1) ?? 0) + log)
  /** Returns the number of quotes up to and including a day. */
  const countUntil = (day: string) => {
    let [low, high] = [0, quotes.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((quotes[middle] as JudgedQuote).day <= day) low = middle + 1
      else high = middle
    }
    return low
  }
  const meanOf = (end: string, most: number) => {
    const [from, to] = [countUntil(addDays(end, -width)), Math.min(most, countUntil(end))]
    return to - from < 2 ? null : ((sums[to] ?? 0) - (sums[from] ?? 0)) / (to - from)
  }
  return (i) => {
    const { day } = quotes[i] as JudgedQuote
    const [after, before] = [meanOf(day, i + 1), meanOf(addDays(day, -period), i + 1)]
    return after === null || before === null ? null : 100 * Math.expm1(after - before)
  }
}

/**
 * Returns 1 where a quote is an outlier of the 90 days before, on the side of the rule; 0 where it is not; null with
 * fewer than 5 quotes.
 */
function unusualAt(
  direction: Condition['direction'],
  quotes: readonly JudgedQuote[],
  i: number,
): number | null {
  const { day, cdf } = quotes[i] as JudgedQuote
  const start = addDays(day, -outlierDays)
  // Quotes of the same day may belong to the same jump, so they do not count as usual.
  const before = quotes.filter((each, at) => at < i && each.day >= start && each.day < day)
  if (before.length < 5) return null
  const logs = before.map(({ log }) => log)
  const medianLog = medianOf(logs)
  const median = medianOf(before.map((each) => each.cdf))
  const madLog = medianOf(logs.map((log) => Math.abs(log - medianLog)))
  const isFar = isOutlier(cdf, { quotes: before.length, median, medianLog, madLog })
  return isFar && (direction === 'above') === cdf > median ? 1 : 0
}

/** Removes isolated jumps: a quote unlike its neighbours is ignored until the next quote confirms it. */
function withoutSlips(quotes: readonly JudgedQuote[]): readonly JudgedQuote[] {
  const believed: JudgedQuote[] = []
  for (const [i, quote] of quotes.entries()) {
    const [before, after] = [believed.at(-1), quotes[i + 1]]
    const isLike = (other: JudgedQuote | undefined) => other && Math.abs(quote.log - other.log) < slip
    if (!before || isLike(before) || isLike(after)) believed.push(quote)
  }
  return believed
}

function judgeSilence(days: number, quotes: readonly JudgedQuote[], today: string): Judgement {
  const rings: Ring[] = []
  for (const [i, quote] of quotes.entries()) {
    const next = quotes[i + 1]?.day ?? today
    const silent = lengthInDays({ start: quote.day, end: next }) - 1
    if (silent > days) rings.push({ day: addDays(quote.day, days + 1), quote, measure: silent, quotes: 1 })
  }
  const last = quotes.at(-1)
  return { rings, isRinging: last !== undefined && addDays(last.day, days) < today }
}

/**
 * Returns other thresholds to propose: one or two round steps from this one. A step is about 7 % of a level, 30 % of a
 * change or silence.
 */
export function nearbyThresholds({ kind, direction, threshold }: Condition): number[] {
  if (kind === 'unusual') return []
  const step = niceStep(threshold * (kind === 'level' ? 0.07 : 0.3))
  if (kind === 'silence' && step < 1) return []
  const steps = direction === 'above' ? [-1, 1, 2] : [-2, -1, 1]
  return steps
    .map((each) => Math.round((threshold + each * step) * 100) / 100)
    .filter((near) => near > 0 && isPossibleThreshold({ kind, direction, threshold: near }))
}

/** Returns the mean of each day that has quotes. */
export function dayMeans(quotes: readonly JudgedQuote[]): { date: string; value: number }[] {
  return [...groupBy(quotes, ({ day }) => day)].map(([date, own]) => ({
    date,
    value: own.reduce((sum, { cdf }) => sum + cdf, 0) / own.length,
  }))
}
