import type { Comparison } from '#features/comparison/comparison.contract.ts'

type Series = Pick<Comparison['data'][number], 'product' | 'market'>

/**
 * Returns labels that distinguish series: the market if they share the product, the product if they share the market,
 * else both.
 */
export function labelsOf(series: readonly Series[]): string[] {
  const shared = sharedBy(series)
  return series.map(({ product, market }) => {
    if (shared === sizeOf(product)) return placeOf(market)
    const name = nameOf(product, series)
    return shared === placeOf(market) ? name : `${name}, ${placeOf(market)}`
  })
}

/**
 * Returns what several series have in common, which their labels omit; null for a single one, or if they have nothing
 * in common.
 */
export function sharedBy(series: readonly Series[]): string | null {
  const products = new Set(series.map(({ product }) => product.id)).size
  const markets = new Set(series.map(({ market }) => market.id)).size
  const [first] = series
  if (!first || products === markets) return null
  if (products === 1) return sizeOf(first.product)
  return markets === 1 ? placeOf(first.market) : null
}

/**
 * Returns the name of a product with its weight; adds the format if another product has the same name and weight, and
 * the code if it also has the same format.
 */
function nameOf(product: Series['product'], series: readonly Series[]): string {
  const alike = series.filter(
    (other) => other.product.id !== product.id && sizeOf(other.product) === sizeOf(product),
  )
  if (alike.length === 0) return sizeOf(product)
  const name = `${sizeOf(product)}, ${product.format}`
  return alike.some((other) => other.product.format === product.format) ? `${name}, ${product.code}` : name
}

function sizeOf({ name, weight }: Series['product']): string {
  return `${name}, ${weight}`
}

/** Returns for example « Goma, Virunga ». */
export function placeOf({ name, location }: Series['market']): string {
  return name === location ? name : `${location}, ${name}`
}
