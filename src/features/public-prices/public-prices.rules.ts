/** What a city or a market pays for a product. */
export type PriceInCity = {
  market: { id: number; name: string; location: string }
  priceValue: number
  currency: string
  observedOn: string
  /** Over 30 days, a fraction; null where too few prices tell. */
  change: { value: number; margin: number | null } | null
  trend: 'up' | 'down' | 'stable' | null
}

export type PublicProduct = { id: number; name: string; weight: string; category: string }

/** A price older than so many days says little of today. */
export const publicFreshDays = 14

/** The words of a search, six at most. */
export function searchedWords(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter(Boolean))].slice(0, 6)
}
