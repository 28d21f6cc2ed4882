import { askedPrice } from '#demonstration/asked-price.ts'
import { type DayNumber, type DaySpan, isoDay, lengthOf, periodUpTo } from '#demonstration/calendar.ts'
import { demonstrationRates } from '#demonstration/exchange-rates.ts'
import type { CollectorFacts } from '#demonstration/facts/people.ts'
import { cities, demonstrationMarkets, type MarketFacts } from '#demonstration/facts/places.ts'
import { demonstrationProducts, type ProductFacts } from '#demonstration/facts/products.ts'
import { supplies } from '#demonstration/facts/supplies.ts'
import { type Levels, priceModel } from '#demonstration/price-levels.ts'
import { randomStream } from '#demonstration/random.ts'
import { type Visit, visitsByDay } from '#demonstration/visits.ts'
import { timeZoneOfProvince } from '#features/markets/markets.rules.ts'
import { dayMs } from '#shared/days.ts'

export type Quote = {
  product: ProductFacts
  market: MarketFacts
  collector: CollectorFacts
  value: number
  currency: 'CDF' | 'USD'
  /** The market's local day, `yyyy-mm-dd`. */
  observedOn: string
  /** Milliseconds since 1970. */
  collectedAt: number
  /** When the phone sent the quote, in milliseconds since 1970. */
  createdAt: number
}

type Series = {
  product: ProductFacts
  levels: Levels
  /** Rank of the product on each day: products with the lowest ranks are asked first. */
  rank: Float64Array
}

const minuteMs = 60_000
const minutesPerQuote = 1.5

/** Returns every (product, market) pair that is sold. */
export function soldPairs(): { product: ProductFacts; market: MarketFacts }[] {
  return demonstrationMarkets.flatMap((market) =>
    demonstrationProducts
      .filter(({ soldIn }) => !soldIn || soldIn.includes(market.city))
      .map((product) => ({ product, market })),
  )
}

/**
 * Generates the quotes of the 24 months before today, day by day, then those of today up to `now`.
 *
 * Two calls on the same day give the same quotes; the later call gives more quotes of that day.
 *
 * @param count number of quotes before that day; beyond one seller per product and visit, several sellers are asked
 */
export function* demonstrationQuotes(now: Date, count: number): Generator<Quote> {
  const period = periodUpTo(now)
  const visits = visitsByDay(period)
  const rates = demonstrationRates(period)
  const stalls = seriesByMarket(period)
  const limit = rankLimit(stalls, visits, count)
  const sellers = Math.max(1, Math.ceil(limit / nextSeller))
  const random = randomStream('quotes')

  for (const [i, visitsOfDay] of visits.entries()) {
    const rate = rates[i] ?? 0
    const observedOn = isoDay(period.first + i)
    for (const visit of visitsOfDay) {
      const { market, collector } = visit
      const startsAt = localMinute(market, period.first + i, visit.startsAtMinute)
      let asked = 0
      for (const { product, levels, seller, rank } of ofSellers(stalls.get(market) ?? [], sellers)) {
        if ((rank[i] ?? Number.POSITIVE_INFINITY) + seller * nextSeller > limit) continue
        const price = askedPrice({ level: levels[i] ?? 0, product, market, collector, rate, random })
        const collectedAt = Math.round(
          startsAt + (minutesPerQuote / sellers) * minuteMs * (asked + random.next()),
        )
        const delay = random.next() < 0.8 ? random.between(1, 45) : random.between(45, 600)
        asked += 1
        if (collectedAt > now.getTime()) continue
        const createdAt = Math.min(now.getTime(), Math.round(collectedAt + delay * minuteMs))
        yield {
          ...price,
          product,
          market,
          collector,
          observedOn,
          collectedAt,
          createdAt,
        }
      }
    }
  }
}

// Larger than any rank: a second seller is asked only when every product has been asked once.
const nextSeller = 1_000

function* ofSellers(stalls: readonly Series[], sellers: number): Generator<Series & { seller: number }> {
  for (let seller = 0; seller < sellers; seller++) for (const series of stalls) yield { ...series, seller }
}

function seriesByMarket(period: DaySpan): Map<MarketFacts, Series[]> {
  const levelsOf = priceModel(period)
  const days = lengthOf(period)
  const stalls = new Map<MarketFacts, Series[]>(demonstrationMarkets.map((market) => [market, []]))
  for (const { product, market } of soldPairs()) {
    stalls
      .get(market)
      ?.push({ product, levels: levelsOf(product, market), rank: ranks(product, market, days) })
  }
  return stalls
}

/**
 * Returns exponential ranks: taking the lowest is a draw without replacement in which staples have a weight of three.
 */
function ranks(product: ProductFacts, market: MarketFacts, days: number): Float64Array {
  const random = randomStream(`asked/${product.code}/${market.name}/${market.city}`)
  const weight = product.isStaple ? 3 : 1
  const rank = new Float64Array(days).map(() => -Math.log(1 - random.next()) / weight)
  if (random.next() < (supplies[product.supply].wander > 4 ? 0.35 : 0.2)) {
    // The product is out of stock for some weeks.
    const from = random.integer(0, days)
    rank.fill(Number.POSITIVE_INFINITY, from, from + random.integer(15, 50))
  }
  return rank
}

/** Returns the highest rank that is asked, so that `count` quotes come before the last day. */
function rankLimit(stalls: Map<MarketFacts, Series[]>, visits: Visit[][], count: number): number {
  const candidates: number[] = []
  for (const [i, visitsOfDay] of visits.slice(0, -1).entries()) {
    for (const { market } of visitsOfDay) {
      for (const { rank } of stalls.get(market) ?? []) {
        const here = rank[i] ?? Number.POSITIVE_INFINITY
        if (here < Number.POSITIVE_INFINITY) candidates.push(here)
      }
    }
  }
  if (count <= 0) return -1
  const [sellers, place] = [Math.floor((count - 1) / candidates.length), (count - 1) % candidates.length]
  return (Float64Array.from(candidates).sort()[place] ?? 0) + sellers * nextSeller
}

function localMinute(market: MarketFacts, day: DayNumber, minute: number): number {
  const isWest = timeZoneOfProvince(cities[market.city].province) === 'Africa/Kinshasa'
  return day * dayMs + (minute - (isWest ? 60 : 120)) * minuteMs
}
