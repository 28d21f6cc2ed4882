import { expect, test } from 'vitest'
import { comparedText, excludedText, type Moved, ratesText } from '#features/prices/ui/price-movement.tsx'
import { formatDate, formatMoney } from '#web/format.ts'

test('converted dollars are explained, and excluded ones counted', () => {
  const currencyDistribution = [{ currency: 'USD' as const, count: 1 }]
  const sums = { totalPrices: 4, currencyDistribution, atOldRate: 1, excluded: 12 }
  expect(ratesText(sums).replace(/\s/g, ' ')).toBe(
    '25,0 % des prix convertis du dollar, 1 prix à un taux ancien, 12 prix en dollars laissés de côté, sans taux connu',
  )
  expect(ratesText({ ...sums, currencyDistribution: [], atOldRate: 0, excluded: 0 })).toBe('')
})

test('a single excluded dollar price is in the singular', () => {
  expect(excludedText(1).replace(/\s/g, ' ')).toBe('1 prix en dollars laissé de côté, sans taux connu')
})

test('a change without its earlier week does not report missing prices, nor that of one day a missing link', () => {
  const untold = {
    change: null,
    unlinked: { from: '2026-01-05', to: '2026-01-12' },
    priceTrend: null,
    knownSeries: 200,
    pricedDays: 7,
    isTooLarge: false,
  } as Moved
  expect(comparedText(untold)).toBe(
    `Rien ne relie la semaine du ${formatDate('2026-01-12')} à celle du ${formatDate('2026-01-05')}`,
  )
  expect(comparedText({ ...untold, unlinked: null })).toBe('Trop peu de relevés pour mesurer une variation')
  const last = { lastDay: '2026-11-06', lastPrice: 58_000, change: null }
  const unmeasured = {
    ...last,
    lacks: 'end' as const,
    before: { startDate: '2026-10-01', endDate: '2026-10-07' },
  }
  expect(comparedText({ ...untold, knownSeries: 1, unmeasured })).toBe(
    `Aucun relevé depuis le ${formatDate('2026-11-06')}\u00a0: rien ne dit ce que le prix est devenu\u202f; dernier prix\u00a0: ${formatMoney(58_000)}`,
  )
  expect(comparedText({ ...untold, pricedDays: 1 })).toBe(
    'Tous les relevés sont d’un seul jour\u00a0: une variation en demande deux',
  )
})
