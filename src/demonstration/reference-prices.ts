import { lengthOf, type Period } from '#demonstration/calendar.ts'
import { markets } from '#demonstration/facts/places.ts'
import { products } from '#demonstration/facts/products.ts'
import { priceModel } from '#demonstration/price-levels.ts'

/** The price in CDF that the catalogue gives for each product code: that of the first market on the last day. */
export function referencePrices(period: Period): Map<string, number> {
  const levelsOf = priceModel(period)
  return new Map(
    products.map((product) => {
      const market = markets.find(({ city }) => product.soldIn?.includes(city) ?? true)
      const level = market
        ? (levelsOf(product, market)[lengthOf(period) - 1] ?? 0)
        : Math.log(product.priceCdf)
      const step = level < Math.log(10_000) ? 50 : 500
      return [product.code, Math.round(Math.exp(level) / step) * step]
    }),
  )
}
