/** A product in a market. */
export type ComparedSeriesKey = { productId: number; marketId: number }

/** Parses the series of an address, `12-3,12-4`; duplicates are removed. */
export function seriesIn(text: string | undefined): ComparedSeriesKey[] {
  const all = (text?.split(',') ?? []).map((pair) => {
    const [productId = 0, marketId = 0] = pair.split('-').map(Number)
    return { productId, marketId }
  })
  return [...new Map(all.map((one) => [`${one.productId}-${one.marketId}`, one])).values()]
}

/** Formats series for an address; undefined for none. */
export function seriesText(series: readonly ComparedSeriesKey[]): string | undefined {
  return series.map(({ productId, marketId }) => `${productId}-${marketId}`).join(',') || undefined
}
