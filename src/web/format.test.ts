import { describe, expect, test } from 'vitest'
import { readAmount } from '#shared/amounts.ts'
import {
  formatCount,
  formatDate,
  formatDateTime,
  formatInterval,
  formatMoney,
  formatNumber,
  formatPercent,
  formatRelativeTime,
  formatTenths,
  formatTyped,
  parseInstant,
  plural,
  truncate,
} from '#web/format.ts'

// Written as escapes, so that an ordinary space in place of a French one is noticed.
const thin = '\u202f'
const nbsp = '\u00a0'

describe('amounts', () => {
  test('whole francs have no decimals, others have two', () => {
    expect(formatMoney(1234)).toBe(`1${thin}234${nbsp}FC`)
    expect(formatMoney(1234.5)).toBe(`1${thin}234,50${nbsp}FC`)
    expect(formatMoney(0, 'CDF')).toBe(`0${nbsp}FC`)
  })
  test('dollars always have two decimals, and an unknown currency counts as dollars', () => {
    expect(formatMoney(12.3, 'USD')).toBe(`12,30${nbsp}$US`)
    expect(formatMoney(12, 'XYZ')).toBe(`12,00${nbsp}$US`)
  })
  test('an amount in a field has a comma, and grouped thousands', () => {
    expect([formatTyped(1234.5), formatTyped(66000)]).toEqual(['1\u202f234,5', '66\u202f000'])
  })
  test('an amount in a field can be read back in one way only', () => {
    for (const amount of [930.125, 0.125, 12.5, 1234.567, 66000]) {
      const typed = formatTyped(amount)
      expect(Number(readAmount(typed)?.plain), typed).toBe(amount)
    }
  })
  test('a missing amount says so', () => {
    expect(formatMoney(null)).toBe('N/A')
    expect(formatMoney(Number.NaN)).toBe('N/A')
  })
})

describe('percentages', () => {
  test('carry their sign and one decimal', () => {
    expect(formatInterval(1.8, [0.9, 2.7])).toBe(`±${nbsp}0,9`)
    // The ends may differ by half points.
    expect(formatInterval(24, [10, 38.5])).toBe(`±${nbsp}14,3`)
    expect(formatInterval(24, [9.2, 41.3])).toBe(`entre +9 et +41${nbsp}%`)
    expect(formatInterval(-20, [-31, -7])).toBe(`entre -31 et -7${nbsp}%`)
    expect(formatPercent(12.34)).toBe(`+12,3${nbsp}%`)
    expect(formatPercent(-5)).toBe(`-5,0${nbsp}%`)
    expect(formatPercent(0)).toBe(`0,0${nbsp}%`)
  })
  test('are « N/A » when missing or not finite', () => {
    expect(formatPercent(undefined)).toBe('N/A')
    expect(formatPercent(Number.POSITIVE_INFINITY)).toBe('N/A')
  })
})

describe('instants', () => {
  test('10 digits are seconds, 13 milliseconds, as number or text', () => {
    const expected = '2026-11-21T10:05:00.000Z'
    expect(parseInstant(1795255500)?.toISOString()).toBe(expected)
    expect(parseInstant('1795255500000')?.toISOString()).toBe(expected)
    expect(parseInstant(expected)?.toISOString()).toBe(expected)
  })
  test('an invalid instant is null', () => {
    expect(parseInstant('hier')).toBeNull()
    expect(parseInstant(null)).toBeNull()
    expect(formatDate('')).toBe('N/A')
  })
  test('a day is formatted unchanged, in any zone', () => {
    expect(formatDate('2026-11-21', 'America/Los_Angeles')).toBe(`21${nbsp}nov.${nbsp}2026`)
  })
  test('an hour is the one of the market', () => {
    expect(formatDateTime('2026-11-21T10:05:00Z')).toBe(`21${nbsp}nov.${nbsp}2026, 11:05`)
    expect(formatDateTime('2026-11-21T10:05:00Z', 'Africa/Lubumbashi')).toMatch(/12:05$/)
  })
})

describe('relative times', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  test.each([
    ['2026-11-21T11:59:10Z', 'À l’instant'],
    ['2026-11-21T12:00:20Z', 'À l’instant'],
    ['2026-11-21T11:59:00Z', 'il y a 1 minute'],
    ['2026-11-21T11:01:00Z', 'il y a 59 minutes'],
    ['2026-11-21T10:30:00Z', 'il y a 1 heure'],
    ['2026-11-18T12:00:00Z', 'il y a 3 jours'],
  ])('%s is « %s »', (value, expected) => {
    expect(formatRelativeTime(value, now).replaceAll(nbsp, ' ')).toBe(expected)
  })
})

describe('words', () => {
  test('0 and 1 are singular', () => {
    expect([0, 1, 2].map((count) => plural(count, 'relevé', 'relevés'))).toEqual([
      'relevé',
      'relevé',
      'relevés',
    ])
    expect(formatCount(12480, 'relevé', 'relevés')).toBe(`12${thin}480 relevés`)
  })
  test('round millions take « de »', () => {
    expect(formatCount(1_000_000, 'relevé', 'relevés')).toBe(`1${thin}000${thin}000 de relevés`)
    expect(formatCount(2_000_000, 'abonné', 'abonnés')).toBe(`2${thin}000${thin}000 d’abonnés`)
  })
  test('numbers are grouped', () => {
    expect(formatNumber(1234.567)).toBe(`1${thin}234,57`)
    expect(formatNumber(-1234.5)).toBe(`-1${thin}234,5`)
  })
  test('a number that rounds to zero has no sign', () => {
    expect([formatTenths(-0.04), formatTenths(-0), formatNumber(-0.001), formatNumber(-0)]).toEqual([
      '0,0',
      '0,0',
      '0',
      '0',
    ])
    expect(formatTenths(-0.06)).toBe('-0,1')
  })
  test('a long name is cut at fifteen letters, a short one is not', () => {
    expect(truncate('Marché central')).toBe('Marché central')
    expect(truncate('Marché de la Liberté')).toBe('Marché de la Li…')
  })
})
