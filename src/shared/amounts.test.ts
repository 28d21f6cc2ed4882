import { expect, test } from 'vitest'
import { ambiguityOf, readAmount } from './amounts.ts'

test('an amount with one possible reading has that value', () => {
  const amounts: [string, string][] = [
    ['58000', '58000'],
    ['58 000', '58000'],
    ['58\u202f000', '58000'],
    ["58'000", '58000'],
    ['1 234 567,5', '1234567.5'],
    ['1 500,500', '1500.500'],
    ['1.500,50', '1500.50'],
    ['1,500.50', '1500.50'],
    ['1,234,567', '1234567'],
    ['1.234.567', '1234567'],
    ['1.234.567,8', '1234567.8'],
    ['2,5', '2.5'],
    ['58,00', '58.00'],
    ['0,500', '0.500'],
    ['1234.567', '1234.567'],
    ['2844,5012', '2844.5012'],
    ['-12,5', '-12.5'],
    ['12.', '12'],
    [' \u200b5\u200b8 000\ufeff', '58000'],
  ]
  for (const [text, plain] of amounts) expect(readAmount(text), text).toMatchObject({ plain })
})

test('an amount with two possible readings has both', () => {
  expect(readAmount('58,000')).toEqual({ plain: null, withComma: '58.000', withPoint: '58000' })
  expect(readAmount('2.500')).toEqual({ plain: null, withComma: '2500', withPoint: '2.500' })
  expect(readAmount('2\u200b.500')).toEqual(readAmount('2.500'))
})

test('a text that is not a number has no value', () => {
  for (const text of [
    '',
    'abc',
    '1,2,3',
    '12.34.56',
    '1 23',
    '58,00,000',
    '1e5',
    '5 FC',
    '--5',
    ',5',
    '1.500.50',
  ]) {
    expect(readAmount(text), text).toBeNull()
  }
})

test('the refusal of an ambiguous amount says how to write either', () => {
  expect(ambiguityOf('58,000')).toBe('Ce nombre se lit de deux façons\u00a0: écrivez 58\u202f000, ou 58,00')
  expect(ambiguityOf('2.334')).toBe('Ce nombre se lit de deux façons\u00a0: écrivez 2\u202f334, ou 2,3340')
  for (const clear of ['58 000', '58,00', 'abc']) expect(ambiguityOf(clear)).toBeNull()
})
