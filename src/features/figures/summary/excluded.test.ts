import { expect, test } from 'vitest'
import { insertMarket, insertPrice, insertProduct } from '../../../../tests/support/catalogue.ts'
import { daysAgo } from '../../../../tests/support/market-days.ts'
import { setRate } from '../../../../tests/support/rates.ts'
import { testServer } from '../../../../tests/support/server.ts'

const server = await testServer()
const { db } = server
const reader = await server.as('manager')
const [rice, oil] = [await insertProduct(db), await insertProduct(db)]
const [goma, bukavu] = [await insertMarket(db, { location: 'Goma' }), await insertMarket(db)]
for (const product_id of [rice, oil])
  for (const market_id of [goma, bukavu])
    for (let n = 10; n < 80; n += 10) {
      await insertPrice(db, { product_id, market_id, day: daysAgo(n), price_value: 2000 + n })
      if (product_id === rice || n > 40)
        await insertPrice(db, { product_id, market_id, day: daysAgo(n), price_value: 1, currency: 'USD' })
    }

/** Returns the number of excluded prices that each page reports for a selection of the last 60 days. */
async function excludedFrom(selection: { productId?: number; marketId?: number }) {
  const dated = { ...selection, startDate: daysAgo(60), endDate: daysAgo(0) }
  const excludedAt = async (path: string, query: object) => {
    const asked = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    )
    const { status, body, text } = await reader.get(`/api/${path}?${asked}`)
    expect(status, text).toBe(200)
    return Object(body).excluded
  }
  return {
    summary: await excludedAt('prices/analytics/summary', dated),
    map: await excludedAt('statistics/map', dated),
    comparison: await excludedAt('statistics/comparison', {
      ...dated,
      series: `${selection.productId ?? rice}-${goma}`,
    }),
    inflation: await excludedAt('statistics/inflation', selection),
  }
}

/** Returns what the page of inflation says that a selection rests on. */
async function basisOfInflation(query: string) {
  return Object((await reader.get(`/api/statistics/inflation?${query}`)).body).basis
}

test('dollars without a rate are excluded, and every page counts them; inflation counts those that are converted', async () => {
  // Without any rate, all dollars are excluded.
  expect(await excludedFrom({})).toEqual({ summary: 16, map: 16, comparison: 6, inflation: 20 })
  await setRate(db, { day: daysAgo(35), cdfPerUsd: 2000 })
  expect(await excludedFrom({})).toEqual({ summary: 10, map: 10, comparison: 3, inflation: 14 })
  expect(await basisOfInflation('')).toMatchObject({ prices: 34, converted: 6, atOldRate: 4 })
  expect(await excludedFrom({ productId: oil })).toEqual({ summary: 4, map: 4, comparison: 2, inflation: 6 })
  await setRate(db, { day: daysAgo(200), cdfPerUsd: 1900 })
  expect(await excludedFrom({})).toEqual({ summary: 0, map: 0, comparison: 0, inflation: 0 })
  expect(await basisOfInflation('')).toMatchObject({ prices: 48, converted: 20, atOldRate: 18 })
  expect(await basisOfInflation(`productId=${oil}`)).toMatchObject({ prices: 20, converted: 6, atOldRate: 6 })
  expect(await basisOfInflation('location=Goma')).toMatchObject({ prices: 24, converted: 10, atOldRate: 9 })
})
