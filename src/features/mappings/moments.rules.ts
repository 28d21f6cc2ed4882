import { inQuotes, type Parsed, type Refusal } from '#features/mappings/values.rules.ts'

/**
 * Parses a calendar day since 1900, as `yyyy-mm-dd`.
 *
 * @param isFrench whether it was written by a French spreadsheet: `dd/mm/yyyy` is then accepted too, and a time after
 *   the day
 */
export function parseDay(text: string, isFrench: boolean): Parsed<string> {
  if (text.trim() === '') return { reason: 'La date est absente.' }
  const moment = readMoment(text, isFrench)
  if (!moment || (moment.time !== null && !isFrench))
    return { reason: `La date ${inQuotes(text)} est illisible (aaaa-mm-jj attendu).` }
  return exists(moment.day) ? { value: moment.day } : { reason: `La date ${inQuotes(text)} n’existe pas.` }
}

type Moment = { readonly day: string; readonly time: string | null }

const time = /(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?/.source
const isoMoment = new RegExp(`^(\\d{4}-\\d\\d-\\d\\d)(?:[T ](${time}))?$`)
const frenchMoment = new RegExp(`^(\\d\\d)/(\\d\\d)/(\\d{4})(?: (${time}))?$`)

/** Splits a text into a day and the local time, if present. */
function readMoment(text: string, isFrench: boolean): Moment | null {
  const [, isoDay, isoTime = null] = isoMoment.exec(text.trim()) ?? []
  if (isoDay !== undefined) return { day: isoDay, time: isoTime }
  const [, day, month, year, at = null] = (isFrench && frenchMoment.exec(text.trim())) || []
  return year === undefined ? null : { day: `${year}-${month}-${day}`, time: at }
}

/** The possible days of a date with slashes; null where there is no such day. */
export type DayReadings = { readonly dayFirst: string | null; readonly monthFirst: string | null }

const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/

/**
 * Returns the two readings of `5/1/2006`, day first and month first; undefined if it is not a date with slashes.
 *
 * @returns a refusal when neither reading is a day
 */
export function parseSlashed(text: string): Parsed<DayReadings> | undefined {
  const [, first = '', second = '', year] = slashed.exec(text.trim()) ?? []
  if (year === undefined) return undefined
  const dayOf = (month: string, day: string) => {
    const written = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
    return exists(written) ? written : null
  }
  const readings = { dayFirst: dayOf(second, first), monthFirst: dayOf(first, second) }
  if (readings.dayFirst === null && readings.monthFirst === null) {
    return { reason: `La date ${inQuotes(text)} n’existe pas.` }
  }
  return { value: readings }
}

function exists(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) && day >= '1900'
}

/** An ISO 8601 instant with its offset. */
export const instantWithOffset = new RegExp(`^\\d{4}-\\d\\d-\\d\\dT${time}(?:Z|[+-]\\d\\d:\\d\\d)$`)

// UTC offsets are written by programs, and are never the local time of a market.
const utcSuffix = /(?:Z|[+-]00:00)$/

/** When a price was collected: an instant in UTC, or the local time at its market, `yyyy-mm-ddThh:mm:ss`. */
export type Collected = {
  readonly localDay: string
  readonly instant: string | null
  readonly local: string | null
}

/**
 * Parses when a price was collected: an ISO 8601 instant with offset, whose local day is that of the offset, or of the
 * market for UTC; or a local time at the market, as in spreadsheets. Both are null when there is only a day; the result
 * is null when blank.
 *
 * @param isFrench whether it was written by a French spreadsheet: `dd/mm/yyyy hh:mm` is then accepted too
 * @param latest a later time is rejected as being in the future
 */
export function parseCollected(
  text: string,
  { isFrench, latest }: { isFrench: boolean; latest: Latest },
): Parsed<Collected | null> {
  const trimmed = text.trim()
  if (trimmed === '') return { value: null }
  const inFuture = { reason: `L’instant de collecte ${inQuotes(text)} est dans le futur.` }
  if (instantWithOffset.test(trimmed)) {
    const instant = new Date(trimmed)
    if (Number.isNaN(instant.getTime())) return noSuchInstant(text)
    if (instant > latest.instant) return inFuture
    const localDay = utcSuffix.test(trimmed)
      ? new Date(instant.getTime() + latest.offsetMs).toISOString().slice(0, 10)
      : trimmed.slice(0, 10)
    return { value: { localDay, instant: instant.toISOString(), local: null } }
  }
  const moment = readMoment(trimmed, isFrench)
  if (!moment) {
    return {
      reason: `L’instant de collecte ${inQuotes(text)} est illisible (ISO 8601 avec décalage attendu).`,
    }
  }
  const { day, time: at } = moment
  if (!exists(day)) return noSuchInstant(text)
  const local = at === null ? null : `${day}T${at.replace(/^\d:/, '0$&')}`
  if ((local ?? day) > latest.local) return inFuture
  return { value: { localDay: day, instant: null, local } }
}

function noSuchInstant(text: string): Refusal {
  return { reason: `L’instant de collecte ${inQuotes(text)} n’existe pas.` }
}

// Clocks differ slightly; the forms of the back office have the same tolerance.
const clockToleranceMs = 5 * 60_000

type Latest = {
  readonly instant: Date
  readonly local: string
  /** Offset of the time zone from UTC (ms). */
  readonly offsetMs: number
}

/** Returns the latest instant not considered in the future, with the local time in the time zone at that instant. */
export function latestIn(timeZone: string, now: Date): Latest {
  const instant = new Date(now.getTime() + clockToleranceMs)
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  const local = clock.format(instant).replace(' ', 'T')
  return { instant, local, offsetMs: Date.parse(`${local}Z`) - Math.floor(instant.getTime() / 1000) * 1000 }
}
