/** Calendar days, `yyyy-mm-dd`, both inclusive. */
export type Period = { start: string; end: string }

/** Milliseconds of a day. */
export const dayMs = 86_400_000
/** Seconds of a day. */
export const dayS = dayMs / 1000

/** A day some days later, or earlier when negative. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)
}

/** Days of a period, both ends counted. */
export function lengthInDays({ start, end }: Period): number {
  return Math.round((Date.parse(end) - Date.parse(start)) / dayMs) + 1
}

/** The Monday of a day's ISO week. */
export function mondayOf(day: string): string {
  return addDays(day, 1 - isoDay(day))
}

/** 1 for Monday to 7 for Sunday. */
function isoDay(day: string): number {
  return new Date(Date.parse(day)).getUTCDay() || 7
}

/** The day that it is now in a time zone, `yyyy-mm-dd`. */
export function dayIn(timeZone: string, now: Date): string {
  return new Intl.DateTimeFormat('fr-CA', { timeZone, dateStyle: 'short' }).format(now)
}

const dayNames = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'medium', timeZone: 'UTC' })

/** « 26 nov. 2026 », which no line breaks. */
export function dayInFrench(day: string): string {
  return dayNames.format(new Date(day)).replaceAll(' ', '\u00a0')
}
