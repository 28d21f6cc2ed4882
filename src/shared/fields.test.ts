import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import {
  amount,
  amountFilter,
  amountFromZero,
  dayFilter,
  factor,
  instantInput,
  optionalProse,
  optionalText,
  percentage,
  prose,
  quantity,
  reference,
  searchText,
  text,
} from './fields.ts'

function faultsOf(shape: z.ZodType, value: unknown): string[] {
  return shape.safeParse(value).error?.issues.map(({ message }) => message) ?? []
}

describe('a required text', () => {
  test('that is missing, null or blank is reported as required; another type is reported as not a text', () => {
    for (const blank of [undefined, null, '', '  \n']) {
      expect(faultsOf(text(10), blank)).toEqual(['Ce champ est obligatoire'])
    }
    for (const other of [5, true, ['a'], {}]) {
      expect(faultsOf(text(10), other)).toEqual(['Un texte est attendu'])
    }
  })

  test('needs a visible character', () => {
    for (const invisible of ['\u200b', '\u2060\u00ad', '\u0301']) {
      expect(faultsOf(text(10), invisible)).toEqual(['Ce champ est obligatoire'])
    }
    for (const seen of ['N\u2019Sele', '7', '—', '👩\u200d👧', 'ɛ'])
      expect(faultsOf(text(10), seen)).toEqual([])
  })

  test('loses its invisible characters: names that look the same are the same', () => {
    const marks = ['\u200b', '\ufeff', '\u00ad', '\u200d\ufe0f', '\u0085', '\u2800', '\ufff9', '\uffff']
    for (const same of ['Riz', ...marks.flatMap((mark) => [`${mark}Riz`, `Ri${mark}z`, `Riz${mark}`])]) {
      expect(text(10).parse(same)).toBe('Riz')
      expect(searchText.parse(same)).toBe('Riz')
    }
  })

  test('of one line has ordinary blanks: names that differ only in blanks are the same', () => {
    for (const same of [
      'Bel Air',
      'Bel  Air',
      ' Bel\u00a0Air\u202f',
      'Bel\tAir',
      'Bel\r\nAir',
      'Bel\u3000\u200b Air',
    ]) {
      expect(text(10).parse(same)).toBe('Bel Air')
      expect(optionalText(10).parse(same)).toBe('Bel Air')
      expect(searchText.parse(same)).toBe('Bel Air')
    }
  })

  test('of several lines has its blanks unchanged', () => {
    const typed = 'Prix\u00a0:\n\n  «\u202fhaut\u202f»'
    for (const shape of [prose(50), optionalProse(50)]) expect(shape.parse(` ${typed}\n`)).toBe(typed)
  })

  test('is refused when it reverses the direction of writing', () => {
    for (const turned of ['riz\u202ecdf', '\u2067riz']) {
      expect(faultsOf(text(10), turned)).toEqual([
        'Ce texte contient des caractères qui ne peuvent pas être enregistrés',
      ])
    }
  })

  test('is refused when the request was not UTF-8, because the letters are lost', () => {
    const lost = new TextDecoder().decode(Uint8Array.of(0x4d, 0x61, 0xef, 0x73))
    expect(faultsOf(text(10), lost)).toEqual([
      'Ce texte contient des caractères qui ne peuvent pas être enregistrés',
    ])
  })
})

test('an invalid id is one error', () => {
  for (const value of [2 ** 53, 1e30, 1.5, 0]) {
    expect(faultsOf(reference('Choisissez un produit'), value)).toEqual(['Choisissez un produit'])
  }
})

describe('an amount', () => {
  test('is read as people write it, without invisible characters', () => {
    for (const typed of [
      '66000',
      '66 000',
      '66\u202f000,00',
      '66.000,00',
      '66,000.00',
      '\u200b66\u200b000',
      66_000,
    ])
      expect(amount.parse(typed)).toBe(66_000)
    expect(factor.parse('2334,7712')).toBe(2334.7712)
    expect(factor.parse(2.334)).toBe(2.334)
    expect(amountFilter.parse('1.500,50')).toBe(1500.5)
    expect(percentage.parse('3,125')).toBe(3.125)
    expect(percentage.parse('\u200b3,\u200b125')).toBe(3.125)
  })

  test('with two possible readings is refused in every field, with how to write either', () => {
    const message = 'Ce nombre se lit de deux façons\u00a0: écrivez 2\u202f500, ou 2,50'
    for (const shape of [amount, amountFromZero, quantity, factor, amountFilter]) {
      for (const typed of ['2.500', '2,500', '2\u200b.500']) expect(faultsOf(shape, typed)).toEqual([message])
      expect(faultsOf(shape, '2.5.0')).toHaveLength(1)
    }
  })
})

describe('a day', () => {
  test('that bounds a period may lie beyond all prices', () => {
    expect(dayFilter.parse('2026-02-28')).toBe('2026-02-28')
    expect(dayFilter.parse('9999-12-31')).toBe('2199-12-31')
    expect(dayFilter.parse('0001-01-01')).toBe('1900-01-01')
    expect(faultsOf(dayFilter, '2026-02-30')).toEqual(['Cette date n’existe pas'])
    expect(faultsOf(dayFilter, '31/12/2026')).toEqual(['Date attendue (aaaa-mm-jj)'])
  })

  test('on which a price was collected must be between 1900 and 2199', () => {
    for (const good of ['1900-01-01', '2199-12-31', '2026-11-20T10:00:00+01:00']) {
      expect(faultsOf(instantInput, good)).toEqual([])
    }
    for (const far of ['1899-12-31', '0001-01-01', '2200-01-01', '1800-01-01T00:00:00Z']) {
      expect(faultsOf(instantInput, far)).toEqual(['Date attendue entre 1900 et 2199'])
    }
    expect(instantInput.parse(1_767_225_600)).toBe('2026-01-01T00:00:00.000Z')
    expect(instantInput.parse('1767225600123')).toBe('2026-01-01T00:00:00.123Z')
    for (const wrong of [12_345, '17672256001', 1.5, true])
      expect(faultsOf(instantInput, wrong)).toHaveLength(1)
    expect(faultsOf(instantInput, '2026-02-30')).toEqual([
      'Date attendue (aaaa-mm-jj, ou date et heure ISO 8601)',
    ])
  })
})
