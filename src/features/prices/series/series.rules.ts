/** A product in a market. */
export type ComparedSeriesKey = { productId: number; marketId: number }

/** The series that an address names: `12-3,12-4`. One named twice counts once. */
export function seriesIn(text: string | undefined): ComparedSeriesKey[] {
  return [...new Set(text?.split(','))].map((pair) => {
    const [productId = 0, marketId = 0] = pair.split('-').map(Number)
    return { productId, marketId }
  })
}

/** How an address names series; undefined where there are none. */
export function seriesText(series: readonly ComparedSeriesKey[]): string | undefined {
  return series.map(({ productId, marketId }) => `${productId}-${marketId}`).join(',') || undefined
}
