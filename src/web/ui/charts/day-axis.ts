import { dayMs } from '#shared/days.ts'
import { formatDayMonth } from '#web/format.ts'

const months = new Intl.DateTimeFormat('fr-FR', { month: 'short', timeZone: 'UTC' })

export type DayTick = { day: number; text: string }

/**
 * Returns a parser of days since 1970 from `yyyy-mm-dd` (or from the day of an ISO instant); NaN for anything else. It
 * caches the current month: on a slow phone, one Date per day of a series of ten thousand is noticeable.
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

/** Parses a single day in the same way. */
export function dayNumber(date: string): number {
  return dayReader()(date)
}

/** Formats a day number as `yyyy-mm-dd`. */
export function dayText(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

/**
 * Returns at most `most` ticks at regular days between two days, with labels as short as is clear. With `isWeekly`,
 * steps shorter than a month are whole weeks counted from the last day.
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
    // Counted back from the last day, which readers look for.
    const ticks: DayTick[] = []
    for (let day = last; day >= first; day -= step) ticks.unshift({ day, text: formatDayMonth(dayText(day)) })
    return ticks
  }
  // Labels of months are shorter than those of days, so one more fits.
  const stepMonths = [1, 2, 3, 6, 12, 24, 60, 120].find((size) => span / 30.4 / size < count + 1) ?? 240
  const ticks = monthTicks(first, last, stepMonths)
  // A label with its year is wider than its share of the axis: when every place is taken, labels are shortened to avoid
  // an overlap.
  return ticks.length < count ? ticks : ticks.map(({ day, text }) => ({ day, text: inShort(text) }))
}

/** Shortens a label: « juin 2026 » to « juin », « janv. 2026 » to « 2026 ». */
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
    // The first label has its year, unless the next one is a January, which shows it.
    const withYear = isJanuary || (ticks.length === 0 && (month + step) % 12 !== 0)
    // With quarterly ticks, where space is limited, a year alone stands for its January.
    const isYear = step >= 12 || (step >= 3 && isJanuary)
    ticks.push({ day, text: isYear ? String(year) : withYear ? `${name} ${year}` : name })
  }
}
