import { dayMs, hourMs } from '#shared/days.ts'

/** A calendar day as the number of days since 1 January 1970: the unit of time of the generator. */
export type DayNumber = number

/** First and last day, both included. */
export type DaySpan = { first: DayNumber; last: DayNumber }

/** Returns the number of a day written `yyyy-mm-dd`. */
export function dayOf(isoDay: string): DayNumber {
  return Date.parse(`${isoDay}T00:00:00Z`) / dayMs
}

/** Formats a day as `yyyy-mm-dd`. */
export function isoDay(day: DayNumber): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

/**
 * Returns the 24 months that end today, in the time zone of the east of the country (UTC+2), where a day begins first.
 */
export function periodUpTo(now: Date): DaySpan {
  const last = Math.floor((now.getTime() + 2 * hourMs) / dayMs)
  const start = new Date(last * dayMs)
  start.setUTCFullYear(start.getUTCFullYear() - 2)
  return { first: Math.floor(start.getTime() / dayMs), last }
}

/** Returns the number of days of a period, both ends included. */
export function lengthOf(period: DaySpan): number {
  return period.last - period.first + 1
}

/** Returns the day of the week, 1 for Monday to 7 for Sunday. */
export function weekday(day: DayNumber): number {
  // 1 January 1970 was a Thursday.
  return ((((day + 3) % 7) + 7) % 7) + 1
}

/** Returns the position of a day in its year, from 0 on 1 January to just below 1. */
export function partOfYear(day: DayNumber): number {
  const year = new Date(day * dayMs).getUTCFullYear()
  const start = Date.UTC(year, 0, 1)
  return (day * dayMs - start) / (Date.UTC(year + 1, 0, 1) - start)
}

// Legal holidays of the DRC with a fixed date: New Year, Martyrs, Heroes (two days), Kimbangu, Labour, Liberation,
// Independence, Parents, Christmas.
const holidays = new Set([
  '01-01',
  '01-04',
  '01-16',
  '01-17',
  '04-06',
  '05-01',
  '05-17',
  '06-30',
  '08-01',
  '12-25',
])

/** Whether the day is a legal holiday, on which markets are closed. */
export function isHoliday(day: DayNumber): boolean {
  return holidays.has(isoDay(day).slice(5))
}
