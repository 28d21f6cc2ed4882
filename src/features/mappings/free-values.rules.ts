// Parses days, amounts and currencies typed by people, without a fixed format.

import { type DayReadings, parseDay, parseSlashed } from '#features/mappings/moments.rules.ts'
import { inQuotes, type Parsed, parseAmount, type ReadAmount } from '#features/mappings/values.rules.ts'
import { withoutAccents } from '#shared/accents.ts'
import { dayMs } from '#shared/days.ts'
import { withoutInvisible } from '#shared/invisible.ts'

/** A parsed day, or its two possible readings; `isMonth` when only a month was given, of which `day` is the 15th. */
export type FreeDay = {
  readonly day: string | null
  readonly readings: DayReadings | null
  readonly isMonth: boolean
}

const months = [
  ['janvier', 'january', 'janv', 'jan'],
  ['fevrier', 'february', 'fevr', 'fev', 'feb'],
  ['mars', 'march', 'mar'],
  ['avril', 'april', 'avr', 'apr'],
  ['mai', 'may'],
  ['juin', 'june', 'jun'],
  ['juillet', 'july', 'juil', 'jul'],
  ['aout', 'august', 'aug'],
  ['septembre', 'september', 'sept', 'sep'],
  ['octobre', 'october', 'oct'],
  ['novembre', 'november', 'nov'],
  ['decembre', 'december', 'dec'],
]
const monthOf = new Map(months.flatMap((names, at) => names.map((name) => [name, at + 1] as const)))

const isoDay = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[t ].*)?$/
const figures = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4}|\d{2})(?:[t ,].*)?$/
const worded = /^(?:\p{L}+\.?,? )?(?:(\d{1,2})(?:er|e)?[-/. ]+)?(\p{L}+)\.?[-/., ]+(\d{4}|\d{2})$/u
const monthFirst = /^(\p{L}+)\.? (\d{1,2}),? (\d{4})$/u
const monthOnly = /^(\d{4})[-/.]?(\d{2})$/
const monthAndYear = /^(\d{1,2})[-/.](\d{4})$/
/** A day number of spreadsheets, counted from the end of 1899: years 1954 to 2119. */
const serial = /^([2-7]\d{4})(?:\.\d+)?$/

/**
 * Parses a day in any usual format: ISO with or without a time, `5/1/2026`, « 5 janvier 2026 », `2026-01`, « janv. 26
 * ».
 */
export function parseFreeDay(cell: string): Parsed<FreeDay> {
  const text = folded(cell)
  if (text === '') return { reason: 'La date est absente.' }
  const iso = isoDay.exec(text)
  if (iso) return dayOf(cell, iso[1], iso[2], iso[3])
  const plain = figures.exec(text)
  if (plain) {
    const readings = parseSlashed(`${plain[1]}/${plain[2]}/${yearOf(plain[3] ?? '')}`)
    if (!readings) return unreadable(cell)
    return readings.reason === undefined
      ? { value: { day: null, readings: readings.value, isMonth: false } }
      : readings
  }
  const named = worded.exec(text)
  const month = named && monthOf.get(named[2] ?? '')
  if (named && month) return dayOf(cell, yearOf(named[3] ?? ''), String(month), named[1])
  const english = monthFirst.exec(text)
  const englishMonth = english && monthOf.get(english[1] ?? '')
  if (english && englishMonth) return dayOf(cell, english[3], String(englishMonth), english[2])
  const short = monthOnly.exec(text)
  if (short && Number(short[2]) >= 1 && Number(short[2]) <= 12)
    return dayOf(cell, short[1], short[2], undefined)
  const reversed = monthAndYear.exec(text)
  if (reversed) return dayOf(cell, reversed[2], reversed[1], undefined)
  const counted = serial.exec(text)
  if (counted) {
    const day = new Date(Date.UTC(1899, 11, 30) + Number(counted[1]) * dayMs).toISOString().slice(0, 10)
    return { value: { day, readings: null, isMonth: false } }
  }
  return unreadable(cell)
}

/**
 * Does the same; a cell with only a month or a day (« janvier », « 5 mars », `3`) takes its year from the cell `year`.
 */
export function parseDayOf(cell: string, year: string): Parsed<FreeDay> {
  const parsed = parseFreeDay(cell)
  if (parsed.reason === undefined || !/^\d{4}$/.test(year.trim())) return parsed
  const text = cell.trim()
  const isMonth = /^(?:0?[1-9]|1[0-2])$/.test(text)
  const completed = parseFreeDay(
    isMonth ? `${year.trim()}-${text.padStart(2, '0')}` : `${text} ${year.trim()}`,
  )
  return completed.reason === undefined ? completed : parsed
}

/** Whether a title is a day or a month, so that its column holds prices; see `needsYear` for titles without a year. */
export function isDayTitle(title: string): boolean {
  return needsYear(title) || (!serial.test(title.trim()) && parseFreeDay(title).reason === undefined)
}

/** Whether a title or a cell is only the name of a month. */
export function needsYear(text: string): boolean {
  return monthOf.has(folded(text).replace(/\.$/, ''))
}

function dayOf(cell: string, year = '', month = '', day: string | undefined): Parsed<FreeDay> {
  const written = `${year}-${month.padStart(2, '0')}-${(day ?? '15').padStart(2, '0')}`
  const parsed = parseDay(written, false)
  if (parsed.reason !== undefined) return { reason: `La date ${inQuotes(cell)} n’existe pas.` }
  return { value: { day: parsed.value, readings: null, isMonth: day === undefined } }
}

/** Expands a two-digit year: below 70 to 20xx, else to 19xx. */
function yearOf(year: string): string {
  if (year.length === 4) return year
  return Number(year) < 70 ? `20${year}` : `19${year}`
}

function unreadable(cell: string): { reason: string } {
  return { reason: `La date ${inQuotes(cell)} est illisible.` }
}

/** Lowercases a text, removes its accents and normalizes its spaces. */
function folded(text: string): string {
  return withoutAccents(text)
    .toLowerCase()
    .replaceAll(/[\p{Z}\s]+/gu, ' ')
    .trim()
}

const total =
  /^\P{L}*(?:(?:sous|grand)[ -]?)?(?:total|totaux|moyennes?|ensemble|average|mean)(?: (?:generale?|nationale?|provinciale?|mensuelle|globale?))?(?:\P{L}*$| (?:(?:de|du|des|pour|a) )?(.+?)\P{L}*$)/u

/**
 * Recognises the name of a total or a mean, and returns what it is a total of: blank for everything; null for any other
 * name.
 */
export function totalOf(name: string): string | null {
  const found = total.exec(folded(name))
  return found && (found[1] ?? '')
}

/** Whether a row is a total or a mean, of everything or of a place or group named in the row. */
export function isTotal(of: string | null, groups: readonly string[]): boolean {
  return of !== null && (of === '' || groups.some((group) => folded(group) === of))
}

/** Whether a name is exactly « Total », which is also a chain of shops and petrol stations. */
export function isNamedTotal(name: string): boolean {
  return folded(name) === 'total'
}

const currencies = new Map<string, 'CDF' | 'USD'>([
  ...[
    'cdf',
    'fc',
    'f.c',
    'f.c.',
    'fcs',
    'franc congolais',
    'francs congolais',
    'franc',
    'francs',
    'congolese franc',
  ].map((word) => [word, 'CDF'] as const),
  ...[
    'usd',
    '$',
    'us$',
    '$us',
    '$ us',
    'dollar',
    'dollars',
    'dollar americain',
    'dollars americains',
    'us dollar',
  ].map((word) => [word, 'USD'] as const),
])

/** Returns `CDF` for « FC », « francs congolais » …; undefined for any other currency than ours. */
export function currencyNamed(text: string): 'CDF' | 'USD' | undefined {
  return currencies.get(folded(text))
}

const amount = /^([^\d+-]*)([+-]?\d[\d \u00a0\u2009\u202f.,'’]*)(.*)$/su

/** A parsed cell of prices. */
export type FreeAmount = ReadAmount & {
  /** The currency named in the cell, if any. */
  readonly currency: 'CDF' | 'USD' | null
}

/**
 * Parses an amount typed by people: « 1 500,50 FC », `1,500.50`, `$2.5`.
 *
 * @param decimal the decimal mark of ambiguous amounts (`58,000`); `auto` returns both readings
 */
export function parseFreeAmount(cell: string, decimal: ',' | '.' | 'auto'): Parsed<FreeAmount> {
  const text = withoutInvisible(cell).trim()
  if (text === '') return { reason: 'Le prix est absent.' }
  const [, before = '', written = '', after = ''] = amount.exec(text) ?? []
  const words = [before, after].map(folded).filter((word) => word !== '')
  const named = words.map(currencyNamed)
  if (written === '' || words.length > 1 || named.includes(undefined)) {
    return { reason: `Le prix ${inQuotes(cell)} n’est pas un nombre.` }
  }
  const read = parseAmount(written, decimal)
  return read.reason === undefined ? { value: { ...read.value, currency: named[0] ?? null } } : read
}
