import { readAmount } from '#shared/amounts.ts'
import { withoutInvisible } from '#shared/invisible.ts'

/** A parsed cell, or the French sentence that rejects it. */
export type Parsed<T> =
  | { readonly value: T; readonly reason?: undefined }
  | (Refusal & { readonly value?: undefined })

export type Refusal = {
  readonly reason: string
  /** The code of the unknown currency, if that is the reason. */
  readonly foreignCurrency?: string
}

/** Upper limit (exclusive) of `numeric(14,2)`, in hundredths. */
const centsLimit = 100_000_000_000_000

/** Quotes a cell for a message: short, on one line, without invisible characters. */
export function inQuotes(text: string): string {
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text
  return `« ${shown.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()} »`
}

/** An amount in hundredths. */
export type ReadAmount = {
  /** For an ambiguous amount (`58,000`), the reading with a decimal comma. */
  readonly cents: number
  /** The reading with a decimal point, if different: the whole file decides. */
  readonly otherCents: number | null
  /** The decimal mark that the text proves. */
  readonly decimal: ',' | '.' | null
}

/**
 * Parses an amount typed by people.
 *
 * @param decimal the decimal mark of ambiguous amounts (`58,000`); `auto` returns both readings
 */
export function parseAmount(text: string, decimal: ',' | '.' | 'auto'): Parsed<ReadAmount> {
  const reading = readAmount(text)
  if (reading === null || reading.plain !== null) {
    const cents = parseCents(reading?.plain ?? text)
    if (cents.reason !== undefined) return cents
    return { value: { cents: cents.value, otherCents: null, decimal: reading?.decimal ?? null } }
  }
  const comma = parseCents(reading.withComma)
  const point = parseCents(reading.withPoint)
  if (comma.reason !== undefined) return comma
  if (point.reason !== undefined) return point
  if (decimal === 'auto') return { value: { cents: comma.value, otherCents: point.value, decimal: null } }
  return { value: { cents: decimal === ',' ? comma.value : point.value, otherCents: null, decimal: null } }
}

/** Parses a plain amount to hundredths, rounded half up on its decimal digits, so without binary rounding errors. */
export function parseCents(text: string): Parsed<number> {
  const match = plainAmount.exec(withoutInvisible(text).trim())
  if (!match) {
    if (text.trim() === '') return { reason: 'Le prix est absent.' }
    return { reason: `Le prix ${inQuotes(text)} n’est pas un nombre.` }
  }
  const [, sign, whole = '', fraction = ''] = match
  const digits = fraction.padEnd(3, '0')
  const cents = Number(whole) * 100 + Number(digits.slice(0, 2)) + (digits.charAt(2) >= '5' ? 1 : 0)
  if (sign === '-' || cents === 0) return { reason: `Le prix ${inQuotes(text)} n’est pas supérieur à zéro.` }
  if (cents >= centsLimit) return { reason: `Le prix ${inQuotes(text)} est trop grand.` }
  return { value: cents }
}

const plainAmount = /^([+-]?)(\d+)(?:\.(\d*))?$/

/**
 * Parses decimal degrees; null when both are blank.
 *
 * @param isFrench a decimal comma is accepted too
 */
export function parsePlace(
  latitude: string,
  longitude: string,
  isFrench: boolean,
): Parsed<{ latitude: string; longitude: string } | null> {
  const [north, east] = [latitude.trim(), longitude.trim()]
  if (north === '' && east === '') return { value: null }
  const y = parseDegrees(north, 90, isFrench)
  const x = parseDegrees(east, 180, isFrench)
  if (y === null || x === null) {
    return { reason: `Les coordonnées ${inQuotes(`${north} ${east}`)} ne sont pas celles d’un lieu.` }
  }
  return { value: { latitude: y, longitude: x } }
}

function parseDegrees(text: string, most: number, isFrench: boolean): string | null {
  const plain = isFrench ? text.replace(',', '.') : text
  if (!/^-?\d{1,3}(?:\.\d{0,20})?$/.test(plain)) return null
  return Math.abs(Number(plain)) <= most ? plain : null
}
