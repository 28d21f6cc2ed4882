// Parses amounts written by people; forms and files share this parser.

import { withoutInvisible } from '#shared/invisible.ts'

/**
 * A number as digits with a decimal point; for an ambiguous one, both readings by decimal mark: `2.500` is 2 500 or
 * 2.5.
 */
export type AmountReading =
  | {
      readonly plain: string
      /** The decimal mark; null when the text does not show which one it is. */
      readonly decimal: ',' | '.' | null
    }
  | { readonly plain: null; readonly withComma: string; readonly withPoint: string }

const blanks = '\u0020\u00a0\u2009\u202f\u2007'
const written = new RegExp(`^([+-]?)(\\d(?:[\\d${blanks}.,'’]*\\d)?[.,]?)$`)
const grouped = new RegExp(`^\\d{1,3}(?:([${blanks}.,'’])\\d{3})(?:\\1\\d{3})*$`)

/**
 * Parses a number as people write it: « 1 500,50 », `1,500.50`, `58000`. One separator with one to three digits before
 * it and three after (`58,000`) is ambiguous; `0,500`, `1234.567` and `2,5` are not.
 *
 * @returns null when the text is not a number
 */
export function readAmount(text: string): AmountReading | null {
  const [, sign = '', digits] = written.exec(withoutInvisible(text).trim()) ?? []
  if (digits === undefined) return null
  const minus = sign === '-' ? '-' : ''
  if (/^[1-9]\d{0,2}[.,]\d{3}$/.test(digits)) {
    const asThousands = minus + digits.replace(/[.,]/, '')
    const asDecimals = minus + digits.replace(',', '.')
    return digits.includes(',')
      ? { plain: null, withComma: asDecimals, withPoint: asThousands }
      : { plain: null, withComma: asThousands, withPoint: asDecimals }
  }
  if (/^\d+$/.test(digits)) return { plain: minus + digits, decimal: null }
  if (grouped.test(digits)) {
    const mark = grouped.exec(digits)?.[1]
    // A character that separates groups of thousands is not the decimal mark.
    const decimal = mark === ',' ? '.' : mark === '.' ? ',' : null
    // A number that starts with 0, such as `0,500`, has no thousands to group.
    if (decimal === null || !digits.startsWith('0'))
      return { plain: minus + digits.replaceAll(/\D/g, ''), decimal }
  }
  const at = Math.max(digits.lastIndexOf(','), digits.lastIndexOf('.'))
  const [whole, mark, fraction] = [digits.slice(0, at), digits.charAt(at), digits.slice(at + 1)]
  if (at < 0 || !/^\d*$/.test(fraction) || whole.includes(mark)) return null
  if (!/^\d+$/.test(whole) && !grouped.test(whole)) return null
  return {
    plain: `${minus}${whole.replaceAll(/\D/g, '')}${fraction && `.${fraction}`}`,
    decimal: mark === ',' ? ',' : '.',
  }
}

/**
 * Rewrites an amount as digits with a single reading; an ambiguous amount is read with the given decimal mark. Returns
 * the text unchanged when it is not an amount or remains ambiguous.
 */
export function settledAmount(text: string, decimal: ',' | '.' | null | undefined): string {
  const reading = readAmount(text)
  const plain = reading?.plain ?? (decimal && reading?.[decimal === ',' ? 'withComma' : 'withPoint'])
  if (plain == null) return text
  const [whole, fraction] = plain.split('.')
  // A zero is appended because exactly three decimals would be ambiguous again.
  return fraction === undefined ? plain : `${whole}.${fraction.padEnd(4, '0')}`
}

/**
 * Returns the decimal mark on which all the unambiguous amounts of a column agree; null when there are none or they
 * differ.
 */
export function decimalOf(texts: Iterable<string>): ',' | '.' | null {
  const shown = new Set<',' | '.'>()
  for (const text of texts) {
    const reading = readAmount(text)
    if (reading?.plain != null && reading.decimal) shown.add(reading.decimal)
  }
  const [mark] = shown
  return shown.size === 1 && mark ? mark : null
}

/**
 * Returns the French error message for an ambiguous amount, with both ways to write it (2 500, or 2,50); null for any
 * other text.
 */
export function ambiguityOf(text: string): string | null {
  const reading = readAmount(text)
  if (reading?.plain !== null) return null
  const [first, second] = [reading.withComma, reading.withPoint]
  const [thousands, decimals] = first.includes('.') ? [second, first] : [first, second]
  const apart = thousands.replace(/(?=\d{3}$)/, '\u202f')
  const exact = (decimals.endsWith('0') ? decimals.slice(0, -1) : `${decimals}0`).replace('.', ',')
  return `Ce nombre se lit de deux façons\u00a0: écrivez ${apart}, ou ${exact}`
}
