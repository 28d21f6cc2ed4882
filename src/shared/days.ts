/** Calendar days, `yyyy-mm-dd`, both inclusive. */
export type Period = { start: string; end: string }

/** Milliseconds in a day. */
export const dayMs = 86_400_000
/** Seconds in a day. */
export const dayS = dayMs / 1000

/** Adds days to a day; a negative number subtracts. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)
}

/** Returns the number of days of a period, both ends included. */
export function lengthInDays({ start, end }: Period): number {
  return Math.round((Date.parse(end) - Date.parse(start)) / dayMs) + 1
}

/** Returns the Monday of a day's ISO week. */
export function mondayOf(day: string): string {
  return addDays(day, 1 - isoDay(day))
}

/** Returns the ISO day of the week, 1 for Monday to 7 for Sunday. */
function isoDay(day: string): number {
  return new Date(Date.parse(day)).getUTCDay() || 7
}

/** Returns the current day in a time zone, `yyyy-mm-dd`. */
export function dayIn(timeZone: string, now: Date): string {
  return new Intl.DateTimeFormat('fr-CA', { timeZone, dateStyle: 'short' }).format(now)
}

const dayNames = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'medium', timeZone: 'UTC' })

/** Formats a day as « 26 nov. 2026 » with no-break spaces. */
export function dayInFrench(day: string): string {
  return dayNames.format(new Date(day)).replaceAll(' ', '\u00a0')
}
