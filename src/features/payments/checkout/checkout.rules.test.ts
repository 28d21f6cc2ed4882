import { describe, expect, test } from 'vitest'
import { priceIn } from '#features/payments/checkout/checkout.rules.ts'

describe('the price to pay', () => {
  test('in its own currency is unchanged, with or without a rate', () => {
    const price = { price: 4.99, currency: 'USD' } as const
    expect(priceIn(price, 'USD', undefined)).toEqual(price)
    expect(priceIn(price, 'USD', 2_850)).toEqual(price)
  })

  test('in another currency is unknown without a rate', () => {
    expect(priceIn({ price: 5, currency: 'USD' }, 'CDF', undefined)).toBeUndefined()
  })

  test.each([
    [5, 2_000, 10_000],
    // 4,99 × 2 847,333333 = 14 208,193…: the next whole franc.
    [4.99, 2_847.333333, 14_209],
    [0.01, 2_850.000001, 29],
    // As a float, 1.1 × 3 000 is 3 300.0000000000005.
    [1.1, 3_000, 3_300],
  ])('of %d dollars at %d is %d whole francs, never less than the price', (price, rate, francs) => {
    expect(priceIn({ price, currency: 'USD' }, 'CDF', rate)).toEqual({ price: francs, currency: 'CDF' })
  })

  test.each([
    [10_000, 2_000, 5],
    [10_000, 3_000, 3.34],
    [1, 2_850, 0.01],
    // 35 120,5803…
    [99_999_999, 2_847.333333, 35_120.59],
  ])('of %d francs at %d is %d dollars, to the cent above', (price, rate, dollars) => {
    expect(priceIn({ price, currency: 'CDF' }, 'USD', rate)).toEqual({ price: dollars, currency: 'USD' })
  })
})
