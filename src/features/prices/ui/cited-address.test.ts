import { expect, test } from 'vitest'
import { addressOfPrices, type Selected } from '../listed.rules.ts'
import { selectedBy } from './price-selection.ts'

const today = '2026-11-27'

/** Returns the filters of the figures that the prices screen shows at an address. */
function opened(search: string): Selected {
  const {
    page: _page,
    limit: _limit,
    sort: _sort,
    ...figures
  } = selectedBy(Object.fromEntries(new URLSearchParams(search)))
  return Object.fromEntries(Object.entries(figures).filter(([, value]) => value !== undefined)) as Selected
}

test.each<[string, Selected]>([
  ['a year of a product', { productId: 12, startDate: '2025-11-28', endDate: today }],
  ['30 days', { startDate: '2026-10-29', endDate: today }],
  ['a period that ended', { productId: 12, marketId: 3, startDate: '2026-01-01', endDate: '2026-03-31' }],
  ['a start chosen alone', { location: 'Goma', startDate: '2026-02-03' }],
  ['an end chosen alone', { categoryId: 2, endDate: '2026-02-03' }],
  ['all dates', { search: 'riz & maïs', kind: 'service', minPrice: 12.5, currency: 'USD' }],
])('the cited address of %s, opened, selects the same prices', (_what, query) => {
  const { path, search } = addressOfPrices(query, today)
  expect([path, opened(search)]).toEqual(['/prices', query])
})

test.each<[string, Selected, string]>([
  [
    'the last 365 days',
    { productId: 12, startDate: '2025-11-28', endDate: today },
    'productId=12&period=365',
  ],
  ['days since a start', { startDate: '2026-11-26' }, 'period=2'],
  ['all dates', { productId: 12 }, 'productId=12&period=all'],
  [
    'a period that ended',
    { startDate: '2026-01-01', endDate: '2026-03-31' },
    'startDate=2026-01-01&endDate=2026-03-31',
  ],
  ['a start eleven years ago', { startDate: '2015-11-27' }, 'startDate=2015-11-27'],
  ['a start in the future', { startDate: '2026-12-01' }, 'startDate=2026-12-01'],
])('the public link of %s follows the date as far as it can', (_what, query, search) => {
  expect(addressOfPrices(query, today).publicSearch).toBe(search)
})
