import { expect, test } from 'vitest'
import {
  cutOffAt,
  isThinBasis,
  isThinMovement,
  untoldText,
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
  const said = (part: Partial<Parameters<typeof untoldText>[0] & object>, isOneSeries = false) =>
    untoldText({ ...change, ...part }, null, isOneSeries)
  expect(untoldText(change, 'up', false)).toBeNull()
  expect(said({ margin: 0.2 })).toContain('trop incertaine')
  expect(said({ margin: 0.02 })).toContain('trop peu de produits')
  expect(said({ margin: null, from: '2024-11-18' })).toContain('sur plus d’un an')
  expect(said({ margin: null })).toContain('un seul produit relevé')
  expect(said({ margin: null, products: 1 })).toContain('un seul marché relevé')
  expect(said({ margin: null }, true)).toContain('un seul relevé d’un côté')
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
