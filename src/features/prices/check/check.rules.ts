/** Statistics of the last 90 days of a series, in CDF; null without a quote. */
export type SeriesFigures = {
  quotes: number
  median: number | null
  /** Median of the natural logarithms. */
  medianLog: number | null
  /** Median absolute deviation of these logarithms. */
  madLog: number | null
}

/** Factor that scales the median absolute deviation of normal values to their standard deviation. */
const madToDeviation = 1.4826
const mostDeviations = 3.5
/** Lower bound of the deviation of logarithms (about 5 %), so that small moves of a stable series raise no question. */
const leastMad = 0.05
/** Share of the median within which a price is never an outlier, however stable its series. */
const leastShare = 0.25

const mostTimesLast = 5

/**
 * Returns whether a price is at least five times, or at most a fifth of, the last one of its series; both in CDF, null
 * where unknown.
 */
export function isFarFromLast(price: number | null, last: number | null): boolean {
  if (price === null || last === null) return false
  return price >= mostTimesLast * last || price * mostTimesLast <= last
}

/**
 * Returns whether a price differs so much from its series that the user must confirm it. With 5 quotes or more: by the
 * modified z-score of its logarithm (Iglewicz and Hoaglin, How to detect and handle outliers, 1993), and only if it is
 * a quarter or more away from the median. With 3 or 4: by its ratio to the median.
 * @param price in CDF; null when it cannot be converted
 */
export function isOutlier(
  price: number | null,
  { quotes, median, medianLog, madLog }: SeriesFigures,
): boolean {
  if (price === null || median === null || medianLog === null || quotes < 3) return false
  if (quotes < 5) return price < median / 3 || price > median * 3
  const deviation = madToDeviation * Math.max(madLog ?? 0, leastMad)
  const isFar = Math.abs(price - median) >= leastShare * median
  return isFar && Math.abs(Math.log(price) - medianLog) / deviation > mostDeviations
}

/**
 * Returns the lowest and the highest price in CDF that neither `isOutlier` nor `isFarFromLast` rejects, rounded inwards
 * to whole francs, so that a phone can check prices offline. Null where neither has enough data.
 * @param last in CDF; null where unknown
 */
export function usualPrices(
  { quotes, median, medianLog, madLog }: SeriesFigures,
  last: number | null,
): { low: number; high: number } | null {
  let [low, high] = [0, Number.POSITIVE_INFINITY]
  if (median !== null && medianLog !== null && quotes >= 3) {
    const width = mostDeviations * madToDeviation * Math.max(madLog ?? 0, leastMad)
    ;[low, high] =
      quotes < 5
        ? [median / 3, median * 3]
        : [
            Math.min(Math.exp(medianLog - width), median * (1 - leastShare)),
            Math.max(Math.exp(medianLog + width), median * (1 + leastShare)),
          ]
  }
  if (last !== null) {
    low = Math.max(low, last / mostTimesLast)
    high = Math.min(high, last * mostTimesLast)
  }
  if (high === Number.POSITIVE_INFINITY) return null
  return { low: Math.ceil(low), high: Math.max(Math.ceil(low), Math.floor(high)) }
}
