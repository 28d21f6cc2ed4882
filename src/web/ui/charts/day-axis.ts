import { formatDayMonth } from '#web/format.ts'

const DAY_MS = 86_400_000
const months = new Intl.DateTimeFormat('fr-FR', { month: 'short', timeZone: 'UTC' })

export type DayTick = { day: number; text: string }

/**
 * Days since 1970 of `yyyy-mm-dd` (or of the day an ISO instant starts with); NaN of anything else. By arithmetic on the digits,
 * as H. Hinnant's « days from civil » does: thirty times as fast as a Date, for a series of ten thousand.
 */
export function dayNumber(date: string): number {
  const month = 10 * digit(date, 5) + digit(date, 6)
  const day = 10 * digit(date, 8) + digit(date, 9)
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= 31)) return Number.NaN
  const year = 1000 * digit(date, 0) + 100 * digit(date, 1) + 10 * digit(date, 2) + digit(date, 3)
  // Years from March, so that the day that comes every four years is the last.
  const [from, since] = month > 2 ? [year, month - 3] : [year - 1, month + 9]
  const leaps = Math.floor(from / 4) - Math.floor(from / 100) + Math.floor(from / 400)
  return 365 * from + leaps + Math.floor((153 * since + 2) / 5) + day - 719_469
}

function digit(text: string, at: number): number {
  return text.charCodeAt(at) - 48
}

/** The `yyyy-mm-dd` of a day number. */
export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** At most `most` round days between two days, written as short as stays clear. */
export function dayTicks(first: number, last: number, most: number): DayTick[] {
  const span = Math.max(1, last - first)
  const count = Math.max(1, most)
  const step = [1, 2, 4, 7, 14, 28].find((days) => span / days < count)
  if (step) {
    // Counted back from the last day, which is the one that is looked for.
    const ticks: DayTick[] = []
    for (let day = last; day >= first; day -= step) ticks.unshift({ day, text: formatDayMonth(dayText(day)) })
    return ticks
  }
  const stepMonths = [1, 2, 3, 6, 12, 24, 60, 120].find((size) => span / 30.4 / size < count) ?? 240
  return monthTicks(first, last, stepMonths)
}

function monthTicks(first: number, last: number, step: number): DayTick[] {
  const ticks: DayTick[] = []
  const start = new Date(first * DAY_MS)
  let month = start.getUTCFullYear() * 12 + start.getUTCMonth()
  for (; ; month++) {
    const year = Math.floor(month / 12)
    const day = Date.UTC(year, month % 12, 1) / DAY_MS
    if (day > last) return ticks
    if (day < first || month % step !== 0) continue
    const name = months.format(new Date(day * DAY_MS))
    const withYear = month % 12 === 0 || ticks.length === 0
    ticks.push({ day, text: step >= 12 ? String(year) : withYear ? `${name} ${year}` : name })
  }
}
