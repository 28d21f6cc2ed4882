import { expect, test } from 'vitest'
import { addressOfChart, groupings } from '#features/comparison/charts.rules.ts'
import { comparisonPage } from '#features/comparison/comparison.contract.ts'

const series = [
  { productId: 3, marketId: 18 },
  { productId: 4, marketId: 18 },
]

test.each(groupings)('the address of a chart, opened, keeps the query of the page, grouped by %s', (by) => {
  for (const days of [{}, { startDate: '2025-11-28' }, { startDate: '2026-01-01', endDate: '2026-03-31' }]) {
    const query = comparisonPage.parse({ series: '3-18,4-18,5-2', unit: 'USD', ...days })
    const { path, search } = addressOfChart(query, by, series)
    expect(path).toBe('/statistiques/comparaison')
    expect(comparisonPage.parse(Object.fromEntries(new URLSearchParams(search)))).toEqual({
      ...query,
      by,
      series: '3-18,4-18',
    })
  }
})
