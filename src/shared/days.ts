/** Calendar days, `yyyy-mm-dd`, both inclusive. */
export type Period = { start: string; end: string }

/** Milliseconds in a day. */
export const dayMs = 86_400_000
/** Milliseconds in an hour. */
export const hourMs = dayMs / 24
/** Seconds in a day. */
export const dayS = dayMs / 1000

/** How far (ms) two clocks may differ before one of them is taken as wrong. */
export const clockToleranceMs = 5 * 60_000

/** Adds days to a day; a negative number subtracts. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)
}

/** Converts a day or an instant to ISO 8601 in UTC; a day begins at midnight in Kinshasa (UTC+1). */
export function instantOf(value: string): string {
  return new Date(value.length === 10 ? `${value}T00:00:00+01:00` : value).toISOString()
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

/** Returns the day of an instant in a time zone, `yyyy-mm-dd`. */
export function dayIn(timeZone: string, now: Date): string {
  const parts = numbersIn(timeZone).formatToParts(now)
  const numberOf = (type: string) => parts.find((part) => part.type === type)?.value
  return `${numberOf('year')}-${numberOf('month')}-${numberOf('day')}`
}

/** Formatters by time zone: creating one takes as long as drawing a chart. */
const numberFormats = new Map<string, Intl.DateTimeFormat>()

// Every browser has English formats. Some lack the Canadian one, which writes days as we do.
function numbersIn(timeZone: string): Intl.DateTimeFormat {
  const format =
    numberFormats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  numberFormats.set(timeZone, format)
  return format
}

/** Returns the day of an instant (ISO 8601) in Kinshasa, one hour ahead of UTC all year: `yyyy-mm-dd`. */
export function dayInKinshasa(instant: string | Date): string {
  return new Date(new Date(instant).getTime() + hourMs).toISOString().slice(0, 10)
}

const dayNames = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'medium', timeZone: 'UTC' })

/** Formats a day as « 26 nov. 2026 » with no-break spaces. */
export function dayInFrench(day: string): string {
  return dayNames.format(new Date(day)).replaceAll(' ', '\u00a0')
}
