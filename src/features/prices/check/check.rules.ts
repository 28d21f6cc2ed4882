/** What the last 90 days of a series say, in CDF; null without a quote. */
export type SeriesFigures = {
  quotes: number
  median: number | null
  /** Median of the natural logarithms. */
  medianLog: number | null
  /** Median of the logarithms' distances from it. */
  madLog: number | null
}

/** Makes the median absolute deviation of normal values their standard deviation. */
const madToDeviation = 1.4826
const mostDeviations = 3.5
/** Of logarithms, so about 5 %: a series that hardly moves is not asked about for every franc. */
const leastMad = 0.05
/** Of the median: what is nearer is a price like another, however still its series. */
const leastShare = 0.25

const mostTimesLast = 5

/** Whether a price is five times the last one of its series or more, or a fifth of it or less; both in CDF, null where unknown. */
export function isFarFromLast(price: number | null, last: number | null): boolean {
  if (price === null || last === null) return false
  return price >= mostTimesLast * last || price * mostTimesLast <= last
}

/**
 * Whether a price is so unlike its series that one asks for confirmation: by the modified z-score of its logarithm
 * (Iglewicz and Hoaglin, How to detect and handle outliers, 1993) with 5 quotes or more, and only a quarter or more away
 * from the median; by its ratio to the median with 3 or 4.
 *
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
 * The lowest and the highest price in CDF that `isOutlier` and `isFarFromLast` both pass, in whole francs inside of them: for a
 * phone without a network. Null where neither says anything.
 *
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
