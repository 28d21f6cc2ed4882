import { provisionalWeeks } from '#features/figures/price-index/price-index.rules.ts'
import type { PricedSeries } from '#features/series/series.contract.ts'
import { addDays, mondayOf } from '#shared/days.ts'

type QuotedWeek = { week: string; log: number; quotes: number }

/**
 * The weeks of a series from its first quote to its last. A week without quotes lies between two others: its level is estimated on
 * the straight line between their logarithms, and enters no index.
 *
 * @param quoted in order; `log` is the mean of ln(price in CDF)
 */
export function weeksOfSeries(quoted: readonly QuotedWeek[], today: string): PricedSeries['weeks'] {
  const [first] = quoted
  if (!first) return []
  const provisionalFrom = addDays(mondayOf(today), -7 * (provisionalWeeks - 1))
  return quoted.flatMap(({ week, log, quotes }, i) => {
    const shown = {
      week,
      level: rounded(Math.exp(log)),
      quotes,
      index: rounded(100 * Math.exp(log - first.log)),
      estimated: false,
      isProvisional: week >= provisionalFrom,
    }
    const before = quoted[i - 1]
    return before ? [...estimatesBetween(before, { week, log }, provisionalFrom), shown] : [shown]
  })
}

function estimatesBetween(
  before: Pick<QuotedWeek, 'week' | 'log'>,
  after: Pick<QuotedWeek, 'week' | 'log'>,
  provisionalFrom: string,
): PricedSeries['weeks'] {
  const apart = Math.round((Date.parse(after.week) - Date.parse(before.week)) / (7 * 86_400_000))
  return Array.from({ length: apart - 1 }, (_, i) => {
    const week = addDays(before.week, 7 * (i + 1))
    const log = before.log + ((after.log - before.log) * (i + 1)) / apart
    const level = rounded(Math.exp(log))
    return { week, level, quotes: 0, index: null, estimated: true, isProvisional: week >= provisionalFrom }
  })
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
