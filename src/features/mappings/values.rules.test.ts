import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inQuotes, parseAmount, parseCents, parsePlace } from '#features/mappings/values.rules.ts'

describe('an amount', () => {
  test.each([
    ['635', 63500],
    ['0.93', 93],
    ['0.935', 94],
    ['0.9349999999999999', 93],
    ['1.005', 101],
    ['2.675', 268],
    ['1234.5', 123450],
    ['007.10', 710],
    ['+5', 500],
    ['5.', 500],
    ['999999999999.99', 99999999999999],
  ])('of %s is %d hundredths, halves rounded up', (text, cents) => {
    expect(parseCents(text)).toEqual({ value: cents })
  })

  test.each([
    ['1234,50', 123450],
    ['1 234,50', 123450],
    ['1\u202f234\u202f567', 123456700],
    ['12\u00a0345,6', 1234560],
    ['0.5', 50],
  ])('of %s is read where a spreadsheet in French wrote it', (text, cents) => {
    expect(parseAmount(text, 'auto').value).toMatchObject({ cents, otherCents: null })
  })

  test.each(['0', '0.00', '0.004', '-1', '-0.001'])('of %s is not above zero', (text) => {
    expect(parseCents(text).reason).toMatch(/pas supérieur à zéro/)
  })

  test.each(['abc', '1,5', '1 234', '12 34', '1e3', 'NaN', '0x10', '1.2.3', '.5', '--1', '٣'])(
    'of %s is not a number in a file with points',
    (text) => {
      expect(parseCents(text).reason).toMatch(/n’est pas un nombre/)
    },
  )

  test('with two readings has both, unless the separator is known', () => {
    expect(parseAmount('58,000', 'auto').value).toEqual({ cents: 5800, otherCents: 5_800_000, decimal: null })
    expect(parseAmount('2.500', 'auto').value).toEqual({ cents: 250_000, otherCents: 250, decimal: null })
    expect(parseAmount('58,000', '.').value).toMatchObject({ cents: 5_800_000, otherCents: null })
    expect(parseAmount('58,000', ',').value).toMatchObject({ cents: 5800, otherCents: null })
    expect(parseAmount('5\u200b8\u200b00', 'auto').value).toMatchObject({ cents: 580_000, otherCents: null })
  })

  test('may be absent, or too large for the database', () => {
    expect(parseCents(' ')).toEqual({ reason: 'Le prix est absent.' })
    expect(parseCents('999999999999.995').reason).toMatch(/trop grand/)
    expect(parseCents('9'.repeat(400)).reason).toMatch(/trop grand/)
  })

  test('is restored to the last hundredth from its decimal text', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999_999_999 }), (cents) => {
        const text = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
        expect(parseCents(text)).toEqual({ value: cents })
        expect(parseAmount(text.replace('.', ','), 'auto').value?.cents).toBe(cents)
      }),
    )
  })
})

describe('coordinates', () => {
  test('are stored as written, both or none', () => {
    expect(parsePlace('-5.923004', '29.194574', false)).toEqual({
      value: { latitude: '-5.923004', longitude: '29.194574' },
    })
    expect(parsePlace('-1,67', '29,2', true)).toEqual({ value: { latitude: '-1.67', longitude: '29.2' } })
    expect(parsePlace('', ' ', false)).toEqual({ value: null })
  })

  test.each([
    ['91', '10'],
    ['-4', '181'],
    ['-4', ''],
    ['', '15'],
    ['nord', 'est'],
    ['1e1', '15'],
    ['-1,67', '29'],
  ])('of %s and %s are not a place', (latitude, longitude) => {
    expect(parsePlace(latitude, longitude, false).reason).toMatch(/coordonnées/)
  })
})

describe('a quoted cell', () => {
  test('stays short, on one line and visible', () => {
    expect(inQuotes('a\n\u0000\u202eb')).toBe('«\u202fa b\u202f»')
    expect(inQuotes('x'.repeat(1000))).toBe(`«\u202f${'x'.repeat(40)}…\u202f»`)
  })
})
