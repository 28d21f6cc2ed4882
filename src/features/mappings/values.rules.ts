import { readAmount } from '#shared/amounts.ts'
import { withoutInvisible } from '#shared/invisible.ts'

/** A cell that could be read, or the French sentence that says why it could not. */
export type Parsed<T> =
  | { readonly value: T; readonly reason?: undefined }
  | (Refusal & { readonly value?: undefined })

export type Refusal = {
  readonly reason: string
  /** The code of a currency that is neither CDF nor USD, when that is why. */
  readonly foreignCurrency?: string
}

/** `numeric(14,2)` holds amounts below this, in hundredths. */
const centsLimit = 100_000_000_000_000

/** A cell as a message may show it: short, on one line, without invisible characters. */
export function inQuotes(text: string): string {
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text
  return `« ${shown.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim()} »`
}

/** An amount in hundredths. */
export type ReadAmount = {
  /** Of an ambiguous amount (`58,000`), the reading with a decimal comma. */
  readonly cents: number
  /** The reading with a decimal point, where that differs: the file will tell which. */
  readonly otherCents: number | null
  /** The decimal mark that the text shows. */
  readonly decimal: ',' | '.' | null
}

/**
 * An amount that people wrote.
 *
 * @param decimal the decimal mark of ambiguous amounts (`58,000`); `auto` leaves both readings
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

/** A plain amount in hundredths, rounded half up from its decimal digits, so without any binary fraction. */
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
 * Decimal degrees as the database takes them, or null when both are blank.
 *
 * @param isFrench a decimal comma is understood as well
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
