import { expect, test } from 'vitest'
import {
  cutOffAt,
  isOfFewProducts,
  isThinBasis,
  isThinMovement,
  noChangeText,
  noTrendText,
  weekMark,
} from '#features/figures/summary/summary.rules.ts'

const change = {
  value: 0.1,
  margin: 0.02,
  from: '2026-10-19',
  to: '2026-11-16',
  series: 40,
  products: 12,
}
const sound = { change: { ...change, isThin: false }, totalPrices: 400, knownSeries: 40, isTooLarge: false }

test.each([
  ['many series', {}, false],
  ['a change that is thin', { change: { ...change, series: 2, isThin: true } }, true],
  ['one product in many markets', { change: { ...change, products: 1, isThin: true } }, false],
  ['one product in two markets', { change: { ...change, products: 1, series: 2, isThin: true } }, true],
  ['two prices', { change: null, totalPrices: 2, knownSeries: 1 }, true],
  ['two series without a change', { change: null, knownSeries: 2 }, true],
  ['one series that is often quoted, without a change', { change: null, knownSeries: 1 }, false],
  ['many series without a change', { change: null }, false],
  ['too many series to be solved for', { change: null, knownSeries: 0, isTooLarge: true }, false],
])('the figures of a selection with %s are grey or not', (_, part, isThin) => {
  expect(isThinBasis({ ...sound, ...part })).toBe(isThin)
})

test('the change and the trend of one product in many markets are grey, its amounts are not', () => {
  const ofOne = { ...sound, change: { ...change, products: 1, isThin: true } }
  expect([isThinBasis(ofOne), isThinMovement(ofOne)]).toEqual([false, true])
  expect(isThinMovement(sound)).toBe(false)
})

test('a change without a trend says why: its interval, its weeks, its length', () => {
  const said = (part: Partial<Parameters<typeof noTrendText>[0] & object>, isOneSeries = false) =>
    noTrendText({ ...change, ...part }, null, isOneSeries)
  expect(noTrendText(change, 'up', false)).toBeNull()
  expect(said({ margin: 0.2 })).toContain('trop incertaine')
  expect(said({ margin: 0.02 })).toContain('trop peu de produits')
  expect(said({ margin: null, from: '2024-11-18' })).toContain('sur plus d’un an')
  expect(said({ margin: null })).toContain('un seul produit relevé')
  expect(said({ margin: null, products: 1 })).toContain('un seul marché relevé')
  expect(said({ margin: null }, true)).toContain('un seul relevé d’un côté')
})

test('the change of fewer than three products is not called inflation, known or not, whatever its series', () => {
  const ofThree = { ...change, products: 3, isThin: true }
  expect(isOfFewProducts({ change: { ...ofThree, products: 2 }, pricedProducts: 4 })).toBe(true)
  expect(isOfFewProducts({ change: ofThree, pricedProducts: 2 })).toBe(false)
  expect([0, 1, 2, 3].map((pricedProducts) => isOfFewProducts({ change: null, pricedProducts }))).toEqual([
    false,
    true,
    true,
    false,
  ])
})

test('a series without a change says which days have no price, or that its period is too short', () => {
  const last = { lastDay: '2026-11-28', lastPrice: 900, change: null }
  const said = (unmeasured: Parameters<typeof noChangeText>[0]['unmeasured']) =>
    noChangeText(
      { pricedDays: 3, isTooLarge: false, isEstimate: false, unmeasured, unlinked: null },
      { day: (day) => day, amount: (cdf) => `${cdf}\u00a0FC`, percent: String },
    )
  const before = { startDate: '2026-10-23', endDate: '2026-10-29' }
  expect(said({ lacks: 'start', before, ...last })).toBe(
    'aucun relevé du 2026-10-23 au 2026-10-29\u00a0: rien à quoi comparer le dernier prix\u202f; dernier prix\u00a0: 900\u00a0FC, le 2026-11-28',
  )
  expect(said({ lacks: 'span', before: null, ...last })).toMatch(/^période trop courte/)
})

test('a week that has not ended says so', () => {
  expect(weekMark('2026-11-16', '2026-11-22')).toBe(' (incomplète)')
  expect(weekMark('2026-11-16', '2026-11-23')).toBe('')
})

test('an index without its older prices names its first week', () => {
  const index = [{ week: '2025-01-06', value: 100, isProvisional: false }]
  const since = (date: string) => cutOffAt({ index, dailyPrices: [{ date, count: 1, averagePrice: 1 }] })
  expect(since('2011-03-04')).toBe('2025-01-06')
  expect(since('2024-12-30')).toBeNull()
  expect(cutOffAt({ index: [], dailyPrices: [] })).toBeNull()
})
