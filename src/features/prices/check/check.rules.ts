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

/**
 * Whether a price is so unlike its series that one asks for confirmation: by the modified z-score of its logarithm
 * (Iglewicz and Hoaglin, How to detect and handle outliers, 1993) with 5 quotes or more, by its ratio to the median
 * with 3 or 4. Where most quotes are the same amount the score has no meaning, and the ratio decides as well.
 *
 * @param price in CDF; null when it cannot be converted
 */
export function isOutlier(
  price: number | null,
  { quotes, median, medianLog, madLog }: SeriesFigures,
): boolean {
  if (price === null || median === null || medianLog === null || quotes < 3) return false
  if (quotes >= 5 && madLog !== null && madLog > 0) {
    return Math.abs(Math.log(price) - medianLog) / (madToDeviation * madLog) > mostDeviations
  }
  return price < median / 3 || price > median * 3
}
