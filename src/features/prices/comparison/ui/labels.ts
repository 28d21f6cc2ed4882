import type { Comparison } from '#features/prices/comparison/comparison.contract.ts'

type Series = Comparison['data'][number]

/** What tells series apart: their market where they are of one product, their product in one market, else both. */
export function labelsOf(series: readonly Pick<Series, 'product' | 'market'>[]): string[] {
  const products = new Set(series.map(({ product }) => product.id)).size
  const markets = new Set(series.map(({ market }) => market.id)).size
  const place = ({ name, location }: Series['market']) => (name === location ? name : `${location}, ${name}`)
  return series.map(({ product, market }) => {
    if (products === 1 && markets > 1) return place(market)
    if (markets === 1 && products > 1) return product.name
    return `${product.name}, ${place(market)}`
  })
}
