import { type DaySpan, lengthOf } from '#demonstration/calendar.ts'
import { demonstrationMarkets } from '#demonstration/facts/places.ts'
import { demonstrationProducts } from '#demonstration/facts/products.ts'
import { priceModel } from '#demonstration/price-levels.ts'

/** Returns the reference price in CDF of each product code: the price in the product's first market on the last day. */
export function referencePrices(period: DaySpan): Map<string, number> {
  const levelsOf = priceModel(period)
  return new Map(
    demonstrationProducts.map((product) => {
      const market = demonstrationMarkets.find(({ city }) => product.soldIn?.includes(city) ?? true)
      const level = market
        ? (levelsOf(product, market)[lengthOf(period) - 1] ?? 0)
        : Math.log(product.priceCdf)
      const step = level < Math.log(10_000) ? 50 : 500
      return [product.code, Math.round(Math.exp(level) / step) * step]
    }),
  )
}
