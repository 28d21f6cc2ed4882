// Formats figures, days and words in the French of the DRC. Pure functions, shared by pages, views and charts.

import { ambiguityOf } from '#shared/amounts.ts'
import { moneyText } from '#shared/money.ts'

type InstantLike = string | number | Date | null | undefined

/** Time zone used when none is given: that of most places of the platform. */
const defaultTimeZone = 'Africa/Kinshasa'

/** Text for a figure that is missing or cannot be computed. */
export const notAvailable = 'N/A'

const dayOnly = /^\d{4}-\d{2}-\d{2}$/
// Creating an Intl formatter costs more than a thousand uses, and tables need thousands of values.
const formatters = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>()
const plurals = new Intl.PluralRules('fr')

/** Parses an instant: 10 digits are seconds, 13 digits milliseconds; ISO strings and dates are accepted as well. */
export function parseInstant(value: InstantLike): Date | null {
  if (value === null || value === undefined || value === '') return null
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value
  const text = String(value).trim()
  const date = /^\d{10}$/.test(text)
    ? new Date(Number(text) * 1000)
    : /^\d{13}$/.test(text)
      ? new Date(Number(text))
      : new Date(typeof value === 'number' ? value : text)
  return Number.isNaN(date.getTime()) ? null : date
}

/**
 * Formats an amount: `1 234,50 FC`, `1 235 FC`, `12,30 $US`. Whole francs have no decimals; any currency other than CDF
 * is shown as dollars.
 */
export function formatMoney(value: number | null | undefined, currency = 'CDF'): string {
  return isFigure(value) ? moneyText(value, currency) : notAvailable
}

/** Formats a number as `1 234,5`: grouped, with at most `maxDigits` decimals. */
export function formatNumber(value: number | null | undefined, maxDigits = 2): string {
  if (!isFigure(value)) return notAvailable
  return withoutNegativeZero(numbers('fr-FR', { maximumFractionDigits: maxDigits }).format(value))
}

/** Formats a number as `104,0`: always one decimal, so that figures in a column can be compared. */
export function formatTenths(value: number): string {
  return withoutNegativeZero(
    numbers('fr-FR', { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(value),
  )
}

/** Formats a number for a text field: `1 234,5`; `930,1250` because `930,125` could be read as 930 125. */
export function formatTyped(value: number): string {
  const text = String(value).replace('.', ',')
  return groupTyped(ambiguityOf(text) === null ? text : `${text}0`)
}

/** Groups the thousands of digits being typed: `1234,5` becomes `1 234,5`. Returns any other text unchanged. */
export function groupTyped(text: string): string {
  const [, digits, rest] = /^([\d\s]*)((?:[.,]\d*)?)$/.exec(text) ?? []
  if (digits === undefined || rest === undefined) return text
  return digits.replaceAll(/\s/g, '').replaceAll(/\B(?=(\d{3})+$)/g, '\u202f') + rest
}

/** Formats a number as `12,4 k` or `1,2 M`, for chart axes with little space. */
export function formatCompact(value: number): string {
  return numbers('fr-FR', { notation: 'compact', maximumFractionDigits: 1 }).format(value)
}

/** Formats a percentage (already multiplied by 100) as `+12,3 %`, with one decimal and, by default, its sign. */
export function formatPercent(value: number | null | undefined, signed = true): string {
  if (!isFigure(value)) return notAvailable
  return numbers('fr-FR', {
    style: 'percent',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
    signDisplay: signed ? 'exceptZero' : 'auto',
  }).format(value / 100)
}

/**
 * Formats the interval around a percentage: `± 0,9` when it is symmetric to half a point, otherwise `entre +9 et +41
 * %`.
 */
export function formatInterval(value: number, [low, high]: readonly [number, number]): string {
  const isSymmetric = Math.abs(high - value - (value - low)) <= 0.5
  if (isSymmetric) return `±\u00a0${formatTenths((high - low) / 2)}`
  const whole = numbers('fr-FR', { maximumFractionDigits: 0, signDisplay: 'exceptZero' })
  return `entre ${whole.format(low)} et ${whole.format(high)}\u00a0%`
}

/** Formats a date as `21 nov. 2026`. A day without a time is not converted between time zones. */
export function formatDate(value: InstantLike, timeZone = defaultTimeZone): string {
  return formatInstant(value, timeZone, { day: 'numeric', month: 'short', year: 'numeric' })
}

/** Formats a date as `21 nov.`, where the year is shown elsewhere. */
export function formatDayMonth(value: InstantLike, timeZone = defaultTimeZone): string {
  return formatInstant(value, timeZone, { day: 'numeric', month: 'short' })
}

/** Formats an instant as `21 nov. 2026, 11:05` in a time zone. */
export function formatDateTime(value: InstantLike, timeZone = defaultTimeZone): string {
  return formatInstant(value, timeZone, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })
}

/** Formats a time as `14:05` in the reader's time zone. */
export function formatTime(value: InstantLike): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  return formatInstant(value, timeZone, { hour: '2-digit', minute: '2-digit' })
}

/** Formats elapsed time: « À l’instant » under a minute, then minutes, hours, days. */
export function formatRelativeTime(value: InstantLike, now: Date | number = Date.now()): string {
  const date = parseInstant(value)
  if (!date) return notAvailable
  const minutes = (date.getTime() - Number(now)) / 60_000
  const size = Math.abs(minutes)
  if (size < 1) return 'À l’instant'
  const relative = new Intl.RelativeTimeFormat('fr', { numeric: 'always' })
  if (size < 60) return relative.format(Math.trunc(minutes), 'minute')
  if (size < 1440) return relative.format(Math.trunc(minutes / 60), 'hour')
  return relative.format(Math.trunc(minutes / 1440), 'day')
}

/** Returns the form that agrees with a count: 0 and 1 are singular in French. */
export function plural(count: number, one: string, other: string): string {
  return plurals.select(count) === 'one' ? one : other
}

/** Formats a count: `1 relevé`, `12 480 relevés`, `1 000 000 de relevés`. */
export function formatCount(count: number, one: string, other: string): string {
  const link = plurals.select(count) === 'many' ? (/^[aeiouyéèêà]/i.test(other) ? 'd’' : 'de ') : ''
  return `${formatNumber(count)} ${link}${plural(count, one, other)}`
}

/** Capitalises the first letter of a phrase. */
export function capitalise(phrase: string): string {
  return phrase.charAt(0).toUpperCase() + phrase.slice(1)
}

/** Truncates a label for a chart; the full name must be available elsewhere. */
export function truncate(text: string, max = 15): string {
  const letters = Array.from(text)
  return letters.length > max ? `${letters.slice(0, max).join('').trimEnd()}…` : text
}

// The sign display that does this is missing from the oldest browsers we serve.
function withoutNegativeZero(text: string): string {
  return /^-0(,0+)?$/.test(text) ? text.slice(1) : text
}

function isFigure(value: number | null | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

function formatInstant(value: InstantLike, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  const date = parseInstant(value)
  if (!date) return notAvailable
  const zone = typeof value === 'string' && dayOnly.test(value) ? 'UTC' : timeZone
  const key = `date ${zone} ${JSON.stringify(options)}`
  const cached = formatters.get(key) as Intl.DateTimeFormat | undefined
  const formatter = cached ?? new Intl.DateTimeFormat('fr-FR', { timeZone: zone, ...options })
  if (!cached) formatters.set(key, formatter)
  // Keeps the words of a date on one line; the line may break before the time.
  return formatter.format(date).replace(/(,?) /g, (found, comma) => (comma ? found : '\u00a0'))
}

function numbers(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale} ${JSON.stringify(options)}`
  // The cast is safe: keys differ between the two kinds of formatter.
  const cached = formatters.get(key) as Intl.NumberFormat | undefined
  const formatter = cached ?? new Intl.NumberFormat(locale, options)
  if (!cached) formatters.set(key, formatter)
  return formatter
}
