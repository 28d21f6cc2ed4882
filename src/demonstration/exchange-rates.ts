import { type DayNumber, type DaySpan, dayOf, weekday } from '#demonstration/calendar.ts'
import { randomStream } from '#demonstration/random.ts'

// CDF for one US dollar: the indicative rate published by the Banque centrale du Congo (BCC), with three exceptions.
// 2023: the yearly mean of the World Bank. 19 February 2024: WFP. Ends of 2024 and of July 2025: derived from the
// changes in the BCC's note of 8 August 2025 (+1.45 % and +0.16 %). Days between two rates are interpolated.
const published: readonly (readonly [string, number])[] = [
  ['2023-01-01', 2030],
  ['2023-07-01', 2340],
  ['2024-02-19', 2758.06],
  ['2024-12-31', 2845.91],
  ['2025-07-31', 2882.57],
  ['2025-08-08', 2887.18],
  ['2025-10-13', 2309.56],
  ['2025-10-20', 2164.67],
  ['2025-10-27', 2221],
  ['2025-11-05', 2193.49],
  ['2025-11-12', 2138.35],
  ['2025-11-17', 2209.23],
  ['2025-11-24', 2211.89],
  ['2025-12-08', 2229.03],
  ['2025-12-19', 2136.73],
  ['2026-01-14', 2195.13],
  ['2026-01-28', 2236.76],
  ['2026-02-02', 2138.44],
  ['2026-02-20', 2281.6],
]
// Assumed yearly rise of the rate after the last published day.
const yearlyDriftAfter = 0.03

const anchors = published.map(([day, rate]) => ({ day: dayOf(day), log: Math.log(rate) }))

/**
 * Returns the CDF per USD rate of each day of a period, with four decimals, as the BCC publishes it: no new rate on
 * Sundays.
 */
export function demonstrationRates({ first, last }: DaySpan): number[] {
  const random = randomStream('exchange rates')
  const rates: number[] = []
  let noise = 0
  for (let day = first; day <= last; day++) {
    noise = 0.8 * noise + 0.0022 * random.normal()
    const rate = Math.round(Math.exp(trendLog(day) + noise) * 10_000) / 10_000
    const before = rates.at(-1)
    rates.push(weekday(day) === 7 && before ? before : rate)
  }
  return rates
}

/**
 * Returns the natural logarithm of the rate that importers use: a mean of the last weeks, so that prices follow the
 * rate with a delay.
 */
export function laggedRateLog(day: DayNumber): number {
  const weeks = 16
  let sum = 0
  for (let week = 0; week < weeks; week++) sum += trendLog(day - 7 * week)
  return sum / weeks
}

function trendLog(day: DayNumber): number {
  const next = anchors.findIndex((anchor) => anchor.day > day)
  const before = anchors.at(next === -1 ? -1 : Math.max(0, next - 1))
  const after = next === -1 ? undefined : anchors[next]
  if (!before) return 0
  if (!after) return before.log + (yearlyDriftAfter * (day - before.day)) / 365
  const part = Math.max(0, (day - before.day) / (after.day - before.day))
  return before.log + part * (after.log - before.log)
}
