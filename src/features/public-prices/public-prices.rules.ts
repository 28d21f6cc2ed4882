import { addDays } from '#shared/days.ts'
import type { Currency } from '#shared/fields.ts'
import { groupBy } from '#shared/group-by.ts'

/** The price of a product in a city or a market. */
export type PriceInCity = {
  market: { id: number; name: string; location: string }
  priceValue: number
  currency: Currency
  observedOn: string
  /** Change over 30 days, a fraction; null without enough prices. `isThin`: a window has fewer than 3 prices. */
  change: { value: number; margin: number | null; isThin: boolean } | null
  trend: 'up' | 'down' | 'stable' | null
}

export type PublicProduct = {
  id: number
  name: string
  /** As shown after the name. */
  weight: string
  format: string
  category: string
  /** False for a wage, a service or an exchange rate. */
  isGood: boolean
}

/** Days after which a price is no longer fresh. */
export const publicFreshDays = 14

/** Words of a sentence that name neither a product nor a place: « prix du riz à Goma ». */
const emptyWords = new Set(
  'prix combien coûte coute quel quelle est le la les l de du des d à a au aux en dans chez sur et pour un une'.split(
    ' ',
  ),
)

/** Splits a search into words, six at most; without articles and the like, unless there is nothing else. */
export function searchedWords(text: string): string[] {
  const words = [...new Set(text.split(/[\s,;?!'’\p{Cc}\p{Cs}]+/u).filter(Boolean))]
  const telling = words.filter((word) => !emptyWords.has(word.toLowerCase()))
  return (telling.length > 0 ? telling : words).slice(0, 6)
}

/** Products in rows, cities in columns: the latest price of each city, or null. */
export type LatestTable = {
  cities: string[]
  rows: { product: Pick<PublicProduct, 'id' | 'name' | 'weight'>; prices: (PriceInCity | null)[] }[]
}

const mostCities = 4

/**
 * Builds the table: the cities with fresh prices of most of these products, then with most quotes. Prices must be
 * sorted latest first.
 */
export function latestTable(
  products: readonly {
    product: LatestTable['rows'][number]['product']
    prices: readonly (PriceInCity & { quotes: number })[]
  }[],
): LatestTable {
  const latest = products.map(({ product, prices }) => ({
    product,
    byCity: groupBy(prices, ({ market }) => market.location),
  }))
  const newestDay = products
    .flatMap(({ prices }) => prices[0]?.observedOn ?? [])
    .reduce((newest, day) => (day > newest ? day : newest), '')
  const freshFrom = newestDay && addDays(newestDay, -publicFreshDays)
  const sold = (city: string) => latest.flatMap(({ byCity }) => byCity.get(city)?.[0] ?? [])
  const quotes = (city: string) =>
    latest.flatMap(({ byCity }) => byCity.get(city) ?? []).reduce((sum, price) => sum + price.quotes, 0)
  const names = new Set(latest.flatMap(({ byCity }) => [...byCity.keys()]))
  const cities = [...names]
    .map((name) => ({
      name,
      fresh: sold(name).filter(({ observedOn }) => observedOn >= freshFrom).length,
      quotes: quotes(name),
    }))
    .toSorted((a, b) => b.fresh - a.fresh || b.quotes - a.quotes || a.name.localeCompare(b.name, 'fr'))
    .slice(0, mostCities)
    .map(({ name }) => name)
  return {
    cities,
    rows: latest.map(({ product, byCity }) => ({
      product,
      prices: cities.map((city) => withoutQuotes(byCity.get(city)?.[0])),
    })),
  }
}

function withoutQuotes(price: (PriceInCity & { quotes: number }) | undefined): PriceInCity | null {
  if (!price) return null
  const { quotes: _, ...shown } = price
  return shown
}
