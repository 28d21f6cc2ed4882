// The one reading of amounts that people write, for forms and for files.

import { withoutInvisible } from '#shared/invisible.ts'

/** A number as digits with a decimal point; or the two that it may be, by its mark: `2.500` is 2 500 or 2.5. */
export type AmountReading =
  | {
      readonly plain: string /** The decimal mark that the writing shows, if any. */
      readonly decimal: ',' | '.' | null
    }
  | { readonly plain: null; readonly withComma: string; readonly withPoint: string }

const blanks = '\u0020\u00a0\u2009\u202f\u2007'
const written = new RegExp(`^([+-]?)(\\d(?:[\\d${blanks}.,'’]*\\d)?[.,]?)$`)
const grouped = new RegExp(`^\\d{1,3}(?:([${blanks}.,'’])\\d{3})(?:\\1\\d{3})*$`)

/**
 * Reads a number as people write it: « 1 500,50 », `1,500.50`, `58000`. One mark with three digits behind it and one to three
 * before (`58,000`) is ambiguous; `0,500`, `1234.567` and `2,5` are not.
 *
 * @returns null for what is no number
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
    // A sign that groups thousands twice is no decimal one.
    const decimal = mark === ',' ? '.' : mark === '.' ? ',' : null
    // `0,500` has nothing to group.
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
 * An amount as digits that have one reading only: of an ambiguous one, that with the given decimal mark. What is no amount, or
 * stays ambiguous, is as it was.
 */
export function settledAmount(text: string, decimal: ',' | '.' | null | undefined): string {
  const reading = readAmount(text)
  const plain = reading?.plain ?? (decimal && reading?.[decimal === ',' ? 'withComma' : 'withPoint'])
  if (plain == null) return text
  const [whole, fraction] = plain.split('.')
  // Three decimals alone would be ambiguous again.
  return fraction === undefined ? plain : `${whole}.${fraction.padEnd(4, '0')}`
}

/** The decimal mark that all the amounts of a column which show one agree on; null where none does, or they differ. */
export function decimalOf(texts: Iterable<string>): ',' | '.' | null {
  const shown = new Set<',' | '.'>()
  for (const text of texts) {
    const reading = readAmount(text)
    if (reading?.plain != null && reading.decimal) shown.add(reading.decimal)
  }
  const [mark] = shown
  return shown.size === 1 && mark ? mark : null
}

/** The sentence that refuses an ambiguous amount and says how to write either: 2 500, or 2,50. Null for any other text. */
export function ambiguityOf(text: string): string | null {
  const reading = readAmount(text)
  if (reading?.plain !== null) return null
  const [first, second] = [reading.withComma, reading.withPoint]
  const [thousands, decimals] = first.includes('.') ? [second, first] : [first, second]
  const apart = thousands.replace(/(?=\d{3}$)/, '\u202f')
  const exact = (decimals.endsWith('0') ? decimals.slice(0, -1) : `${decimals}0`).replace('.', ',')
  return `Ce nombre se lit de deux façons\u00a0: écrivez ${apart}, ou ${exact}`
}
