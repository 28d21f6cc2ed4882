import { expect, test } from 'vitest'
import { nearestTo, selectComparisons } from './series.rules.ts'

// Along one meridian, where a degree is 111 km.
const prices = Array.from({ length: 14 }, (_, i) => ({
  priceValue: 1000 + 100 * i,
  currency: 'CDF',
  market: { id: i, latitude: (i * 5) % 14, longitude: 29 },
}))
const ids = (lines: readonly ({ left: number } | { market: { id: number } })[]) =>
  lines.map((line) => ('left' in line ? `… ${line.left}` : line.market.id))

test('the cheapest, the nearest, the own price and its neighbours are shown in order, with a count of the others', () => {
  const own = prices[9]
  if (!own) throw new Error('there are fourteen')
  // Market 9 is at 3 degrees: 4 (6), 1 (5), 6 (2), 12 (4) and 3 (1) are the nearest.
  expect(
    ids(
      nearestTo(
        prices.filter((each) => each !== own),
        own.market,
      ),
    ),
  ).toEqual([6, 12, 1])
  expect(ids(selectComparisons(prices.toReversed(), own))).toEqual([
    0,
    1,
    '… 4',
    6,
    '… 1',
    8,
    9,
    10,
    '… 1',
    12,
    '… 1',
  ])
})

test('few prices are all shown, without a place none is near, and dollars come after francs', () => {
  const few = prices.slice(0, 4)
  expect(ids(selectComparisons(few, few[3]))).toEqual([0, 1, 2, 3])
  const nowhere = { latitude: null, longitude: null }
  expect(nearestTo(prices, nowhere)).toEqual([])
  const inDollars = { priceValue: 1, currency: 'USD', market: { id: 99, ...nowhere } }
  expect(ids(selectComparisons([inDollars, ...few], few[0]))).toEqual([0, 1, 2, 3, 99])
  expect(ids(selectComparisons(prices, undefined))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, '… 5'])
})
