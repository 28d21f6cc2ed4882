import { addDays, dayInKinshasa } from '#shared/days.ts'

/** Returns the date some days ago in the tests' markets: from 23:00 to 24:00 UTC, it is already tomorrow there. */
export function daysAgo(days: number): string {
  return addDays(dayInKinshasa(new Date()), -days)
}

/** Returns yesterday noon UTC in milliseconds: a visit that begins then is on one day of every market. */
export function yesterdayNoon(): number {
  return Date.parse(`${daysAgo(1)}T12:00:00Z`)
}
