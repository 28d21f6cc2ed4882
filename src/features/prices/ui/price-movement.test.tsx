import { expect, test } from 'vitest'
import { ratesText } from '#features/prices/ui/price-movement.tsx'

test('dollars say how they were converted, and how many were left aside', () => {
  const currencyDistribution = [{ currency: 'USD' as const, count: 1 }]
  const sums = { totalPrices: 4, currencyDistribution, atOldRate: 1, excluded: 12 }
  expect(ratesText(sums).replace(/\s/g, ' ')).toBe(
    '25,0 % des prix convertis du dollar, 1 prix à un taux ancien, 12 prix en dollars laissés de côté, sans taux connu',
  )
  expect(ratesText({ ...sums, currencyDistribution: [], atOldRate: 0, excluded: 0 })).toBe('')
})
