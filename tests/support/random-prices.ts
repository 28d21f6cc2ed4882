// Random prices, and the local day of each, computed without the database.

import fc from 'fast-check'
import type { Db } from '#server/db/pool.ts'
import { hourMs } from '#shared/days.ts'

export type Quote = {
  productId: number
  marketId: number
  priceValue: number
  currency: 'CDF' | 'USD'
  collectorName: string
  collectedAt: Date
  lane: number
}

export type Place = { id: number; timeZone: 'Africa/Kinshasa' | 'Africa/Lubumbashi' }

/** Returns the local day of an instant: UTC+1 in Kinshasa, UTC+2 in Lubumbashi, all year round. */
export function localDay(instant: Date, timeZone: Place['timeZone']): string {
  const offsetMs = (timeZone === 'Africa/Kinshasa' ? 1 : 2) * hourMs
  return new Date(instant.getTime() + offsetMs).toISOString().slice(0, 10)
}

/** Quotes at every hour of some days, many of them around midnight, when the day differs between the zones. */
export function quotes(choice: {
  productIds: number[]
  marketIds: number[]
  collectors?: string[]
  firstDay: string
  days: number
}): fc.Arbitrary<Quote> {
  const minutes = fc.oneof(
    fc.integer({ min: 0, max: 1439 }),
    fc.constantFrom(0, 1259, 1260, 1319, 1320, 1379, 1380),
  )
  return fc
    .record({
      productId: fc.constantFrom(...choice.productIds),
      marketId: fc.constantFrom(...choice.marketIds),
      cents: fc.integer({ min: 1, max: 1_000_000 }),
      currency: fc.constantFrom('CDF' as const, 'CDF' as const, 'USD' as const),
      collectorName: fc.constantFrom(...(choice.collectors ?? ['Amina'])),
      day: fc.integer({ min: 0, max: choice.days - 1 }),
      minutes,
      lane: fc.constantFrom(0, 0, 1, 15),
    })
    .map(({ cents, day, minutes, ...quote }) => ({
      ...quote,
      priceValue: cents / 100,
      collectedAt: new Date(Date.parse(choice.firstDay) + (day * 24 + minutes / 60) * hourMs),
    }))
}

/** @returns the ids, in the order of the quotes */
export async function insertQuotes(db: Db, quotes: Quote[], places: Place[]): Promise<number[]> {
  if (quotes.length === 0) return []
  const rows = await db
    .insertInto('price')
    .values(
      quotes.map((quote) => ({
        product_id: quote.productId,
        market_id: quote.marketId,
        price_value: quote.priceValue,
        currency: quote.currency,
        collector_name: quote.collectorName,
        collected_at: quote.collectedAt,
        observed_on: localDay(quote.collectedAt, zoneOf(quote.marketId, places)),
        lane: quote.lane,
      })),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

export function zoneOf(marketId: number, places: Place[]): Place['timeZone'] {
  const place = places.find(({ id }) => id === marketId)
  if (!place) throw new Error(`market ${marketId} is not among the places`)
  return place.timeZone
}
