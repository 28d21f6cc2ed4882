import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { moneyText } from '#shared/money.ts'
import { strayAmounts } from '../../tests/support/money-texts.ts'

describe('an amount', () => {
  test.each([
    [1234.5, 'CDF', '1\u202f234,50\u00a0FC'],
    [15_000, 'CDF', '15\u202f000\u00a0FC'],
    ['15000.00', 'CDF', '15\u202f000\u00a0FC'],
    [5, 'USD', '5,00\u00a0$US'],
    ['7.5', 'USD', '7,50\u00a0$US'],
    [12.3, 'EUR', '12,30\u00a0$US'],
    // An amount that no double can represent.
    ['99999999999999.99', 'USD', '99\u202f999\u202f999\u202f999\u202f999,99\u00a0$US'],
  ])('%s %s is written %s', (amount, currency, written) => {
    expect(moneyText(amount, currency)).toBe(written)
  })

  test('written on a screen, in a field or by the database is parsed to the same value', () => {
    expect(strayAmounts(5_000, 1)).toEqual([])
  })
})

test('columns of money in the database are numeric', () => {
  const schema = readFileSync('db/schema.sql', 'utf8')
  const columns = [...schema.matchAll(/^ {2}(price|amount|price_value|cdf_per_usd) (.*?),?$/gm)]
  expect(columns.length).toBeGreaterThan(4)
  expect(columns.filter(([, , type]) => !type?.startsWith('numeric'))).toEqual([])
})
