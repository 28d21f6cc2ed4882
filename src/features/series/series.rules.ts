import { provisionalWeeks } from '#features/figures/price-index/price-index.rules.ts'
import type { PricedSeries } from '#features/series/series.contract.ts'
import { addDays, dayMs, mondayOf } from '#shared/days.ts'
import { type GeoPoint, metresBetween } from '#shared/geography.ts'

type QuotedWeek = { week: string; log: number; quotes: number }

/**
 * Returns the weeks of a series from its first quote to its last. The level of a week without quotes is interpolated
 * linearly between the logarithms of its neighbours, and such a week has no index.
 *
 * @param quoted in order; `log` is the mean of ln(price in CDF)
 */
export function weeksOfSeries(quoted: readonly QuotedWeek[], today: string): PricedSeries['weeks'] {
  const [first] = quoted
  if (!first) return []
  const provisionalFrom = addDays(mondayOf(today), -7 * (provisionalWeeks - 1))
  return quoted.flatMap(({ week, log, quotes }, i) => {
    const shown = {
      week,
      level: rounded(Math.exp(log)),
      quotes,
      index: rounded(100 * Math.exp(log - first.log)),
      estimated: false,
      isProvisional: week >= provisionalFrom,
    }
    const before = quoted[i - 1]
    return before ? [...estimatesBetween(before, { week, log }, provisionalFrom), shown] : [shown]
  })
}

function estimatesBetween(
  before: Pick<QuotedWeek, 'week' | 'log'>,
  after: Pick<QuotedWeek, 'week' | 'log'>,
  provisionalFrom: string,
): PricedSeries['weeks'] {
  const apart = Math.round((Date.parse(after.week) - Date.parse(before.week)) / (7 * dayMs))
  return Array.from({ length: apart - 1 }, (_, i) => {
    const week = addDays(before.week, 7 * (i + 1))
    const log = before.log + ((after.log - before.log) * (i + 1)) / apart
    const level = rounded(Math.exp(log))
    return { week, level, quotes: 0, index: null, estimated: true, isProvisional: week >= provisionalFrom }
  })
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000
}

type PricedPlace = { priceValue: number; currency: string; market: { id: number } & PlaceOfMarket }
type LeftOut = { left: number; first: number }
type PlaceOfMarket = { latitude: number | null; longitude: number | null }

const [mostCheapest, mostNear, fewEnough] = [2, 3, 9]

/** Returns the distance between two markets in kilometres; null if the coordinates of one are missing. */
export function kilometresBetween(one: PlaceOfMarket, other: PlaceOfMarket): number | null {
  const [here, there] = [placed(one), placed(other)]
  return here && there ? metresBetween(here, there) / 1_000 : null
}

/** Returns the prices of the nearest markets, at most three. */
export function nearestTo<Price extends PricedPlace>(
  prices: readonly Price[],
  market: PlaceOfMarket,
): Price[] {
  return prices
    .flatMap((price) => {
      const km = kilometresBetween(market, price.market)
      return km === null ? [] : [{ price, km }]
    })
    .toSorted((a, b) => a.km - b.km)
    .slice(0, mostNear)
    .map(({ price }) => price)
}

/**
 * Selects the prices of a product to show beside one's own: the two cheapest, the three nearest, one's own with its two
 * neighbours, in ascending order; all of them if they are few. An entry with `left` stands for that many omitted
 * prices, starting with the market `first`. Prices in two currencies are not sorted together.
 */
export function selectComparisons<Price extends PricedPlace>(
  prices: readonly Price[],
  own: Price | undefined,
): (Price | LeftOut)[] {
  const rank = ({ currency }: Price) => (currency === 'CDF' ? 0 : 1)
  const ordered = prices.toSorted((a, b) => rank(a) - rank(b) || a.priceValue - b.priceValue)
  if (ordered.length <= fewEnough) return ordered
  const at = own ? ordered.indexOf(own) : -1
  const shown = new Set([
    ...ordered.slice(0, own ? mostCheapest : fewEnough),
    ...(own
      ? nearestTo(
          ordered.filter((each) => each !== own),
          own.market,
        )
      : []),
    ...(at < 0 ? [] : ordered.slice(Math.max(0, at - 1), at + 2)),
  ])
  const lines: (Price | LeftOut)[] = []
  for (const price of ordered) {
    const last = lines.at(-1)
    if (shown.has(price)) lines.push(price)
    else if (last && 'left' in last) last.left += 1
    else lines.push({ left: 1, first: price.market.id })
  }
  return lines
}

function placed({ latitude, longitude }: PlaceOfMarket): GeoPoint | null {
  return latitude === null || longitude === null ? null : { latitude, longitude }
}
