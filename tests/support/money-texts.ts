import fc from 'fast-check'
import { amount } from '#shared/fields.ts'
import { moneyText } from '#shared/money.ts'
import { formatTyped } from '#web/format.ts'

const amounts = fc.oneof(
  fc.integer({ min: 1, max: 99_999_999_999_900 }),
  fc.integer({ min: 1, max: 10_000_000 }),
)

/**
 * Formats random amounts in both currencies as a screen, a field and the database do, and parses them again.
 *
 * @returns the amounts that changed
 */
export function strayAmounts(count: number, seed: number): number[] {
  const values = fc.sample(amounts, { numRuns: count, seed }).map((cents) => cents / 100)
  return values.filter((value) => {
    const shown = (['CDF', 'USD'] as const).map((currency) =>
      moneyText(value, currency).replace(/[\s\u00a0]*(FC|\$US)$/, ''),
    )
    return [...shown, formatTyped(value), value.toFixed(2)].some((text) => amount.parse(text) !== value)
  })
}
