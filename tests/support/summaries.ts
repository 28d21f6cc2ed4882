import { sql } from 'kysely'
import { beforeEach, expect } from 'vitest'
import { type PriceSummary, priceSummary } from '#features/figures/summary/summary.contract.ts'
import { insertMarket, insertProduct } from './catalogue.ts'
import type { Place, Quote } from './random-prices.ts'
import { setRate } from './rates.ts'
import { testServer } from './server.ts'

type Query = Partial<Record<'productId' | 'marketId' | 'startDate' | 'endDate', string | number>>

/**
 * Starts a server with three products and three markets, one of them in the east, and a function that requests
 * summaries; each test begins without prices.
 */
export async function summaryWorld() {
  const { db, as } = await testServer()
  const reader = await as('manager')
  const products = await Promise.all(
    ['Riz', 'Maïs', 'Huile'].map(async (name) => ({ id: await insertProduct(db, { name }), name })),
  )
  const places: (Place & { name: string })[] = await Promise.all(
    (['Africa/Kinshasa', 'Africa/Lubumbashi', 'Africa/Kinshasa'] as const).map(async (timeZone, i) => {
      const name = ['Zando', 'Kenya', 'Gambela'][i] ?? ''
      return { id: await insertMarket(db, { name, time_zone: timeZone }), name, timeZone }
    }),
  )
  const [productId = 0, otherProduct = 0] = products.map(({ id }) => id)
  const [marketId = 0, eastern = 0] = places.map(({ id }) => id)
  const quote = (day: string, priceValue: number, more: Partial<Quote> = {}): Quote => ({
    productId,
    marketId,
    priceValue,
    currency: 'CDF',
    collectorName: 'Amina',
    lane: 0,
    collectedAt: new Date(`${day}T12:00:00Z`),
    ...more,
  })

  beforeEach(async () => {
    await sql`delete from price`.execute(db)
    await sql`delete from exchange_rate`.execute(db)
  })

  return {
    db,
    as,
    reader,
    products,
    places,
    productId,
    otherProduct,
    marketId,
    eastern,
    quote,
    dollars: (day: string, priceValue: number, more: Partial<Quote> = {}) =>
      quote(day, priceValue, { currency: 'USD', ...more }),
    async summarise(query: Query = {}): Promise<PriceSummary> {
      const texts = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])
      const answer = await reader.get(`/api/prices/analytics/summary?${new URLSearchParams(texts)}`)
      expect(answer.status, answer.text).toBe(200)
      return priceSummary.strict().parse(answer.body)
    },
    async setRates(rates: Record<string, number>): Promise<void> {
      for (const [day, cdfPerUsd] of Object.entries(rates)) await setRate(db, { day, cdfPerUsd })
    },
  }
}
