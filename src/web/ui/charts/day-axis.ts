import { dayMs } from '#shared/days.ts'
import { formatDayMonth } from '#web/format.ts'

const months = new Intl.DateTimeFormat('fr-FR', { month: 'short', timeZone: 'UTC' })

export type DayTick = { day: number; text: string }

/**
 * Reads days since 1970 from `yyyy-mm-dd` (or from an ISO instant: the day it starts with); NaN of anything else. One month
 * after the other is read for little: of a series of ten thousand days, a Date each shows on a slow telephone.
 */
export function dayReader(): (date: string) => number {
  let month = '-'
  let before = Number.NaN
  return (date) => {
    if (!date.startsWith(month)) {
      month = date.slice(0, 8) || '-'
      before = Date.parse(`${month}01`) / dayMs - 1
    }
    const day = 10 * date.charCodeAt(8) + date.charCodeAt(9) - 528
    return day >= 1 && day <= 31 ? before + day : Number.NaN
  }
}

/** The same of one day. */
export function dayNumber(date: string): number {
  return dayReader()(date)
}

/** The `yyyy-mm-dd` of a day number. */
export function dayText(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

/**
 * At most `most` round days between two days, written as short as stays clear; whole weeks from the last one where there
 * is nothing between (`isWeekly`).
 */
export function dayTicks(
  first: number,
  last: number,
  { most, isWeekly = false }: { most: number; isWeekly?: boolean },
): DayTick[] {
  const span = Math.max(1, last - first)
  const count = Math.max(1, most)
  const steps = isWeekly ? [7, 14, 28] : [1, 2, 4, 7, 14, 28]
  const step = steps.find((days) => span / days < count)
  if (step) {
    // Counted back from the last day, which is the one that is looked for.
    const ticks: DayTick[] = []
    for (let day = last; day >= first; day -= step) ticks.unshift({ day, text: formatDayMonth(dayText(day)) })
    return ticks
  }
  // Names of months are shorter than days of them.
  const stepMonths = [1, 2, 3, 6, 12, 24, 60, 120].find((size) => span / 30.4 / size < count + 1) ?? 240
  const ticks = monthTicks(first, last, stepMonths)
  // A name with its year is wider than its share: where every place is taken, the one beside would stand on it.
  return ticks.length < count ? ticks : ticks.map(({ day, text }) => ({ day, text: inShort(text) }))
}

/** « juin 2026 » as « juin », « janv. 2026 » as « 2026 ». */
function inShort(text: string): string {
  return text.replace(/^janv\. /, '').replace(/(\D) \d{4}$/, '$1')
}

function monthTicks(first: number, last: number, step: number): DayTick[] {
  const ticks: DayTick[] = []
  const start = new Date(first * dayMs)
  let month = start.getUTCFullYear() * 12 + start.getUTCMonth()
  for (; ; month++) {
    const year = Math.floor(month / 12)
    const day = Date.UTC(year, month % 12, 1) / dayMs
    if (day > last) return ticks
    if (day < first || month % step !== 0) continue
    const name = months.format(new Date(day * dayMs))
    const isJanuary = month % 12 === 0
    // A January that comes next says which year it was before.
    const withYear = isJanuary || (ticks.length === 0 && (month + step) % 12 !== 0)
    // Among quarters, which stand where there is little room, a year alone is its January.
    const isYear = step >= 12 || (step >= 3 && isJanuary)
    ticks.push({ day, text: isYear ? String(year) : withYear ? `${name} ${year}` : name })
  }
}
