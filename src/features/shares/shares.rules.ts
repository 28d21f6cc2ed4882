import type { PriceSummary } from '#features/figures/summary/summary.contract.ts'

export const mostShares = 500

/** What a shared page shows of a series; no raw rows. */
export type SharedFigures = {
  product: { id: number; name: string; weight: string }
  market: { id: number; name: string; location: string }
  last: { price: number; currency: string; day: string } | null
  /** Over 30 days and a year. */
  month: SharedChange
  year: SharedChange
  /** The mean of each day of the last year, in CDF. */
  points: { date: string; value: number }[]
  /** Quotes of the last year. */
  count: number
  /** What other markets paid in the last 14 days, in CDF. */
  elsewhere: { lowest: number; highest: number; markets: number } | null
  madeAt: string
}
export type SharedChange = { change: PriceSummary['change']; trend: PriceSummary['priceTrend'] }

/** The series that the address of a page of the program is about; null for another page. */
export function seriesOfPath(path: string): { productId: number; marketId: number } | null {
  const [, productId, marketId] = /^\/series\/(\d{1,9})\/(\d{1,9})$/.exec(path) ?? []
  return productId && marketId ? { productId: Number(productId), marketId: Number(marketId) } : null
}
