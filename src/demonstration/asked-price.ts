import type { CollectorFacts } from '#demonstration/facts/people.ts'
import { cities, type MarketFacts } from '#demonstration/facts/places.ts'
import type { ProductFacts } from '#demonstration/facts/products.ts'
import { supplies } from '#demonstration/facts/supplies.ts'
import type { Random } from '#demonstration/random.ts'

type Question = {
  /** Natural logarithm of the day's price in CDF. */
  level: number
  product: ProductFacts
  market: MarketFacts
  collector: CollectorFacts
  /** CDF per USD. */
  rate: number
  random: Random
}

// Only products from this price up (a bag, a carton) are priced in dollars; a kilogram of salt never is.
const dearEnoughForDollarsCdf = 20_000
const mistakes = 0.0009
const haggling = 0.3
/** Largest haggled difference, up or down, in multiples of the product's usual haggling margin. */
export const mostHaggles = 2

/**
 * Returns the price that the collector records: sometimes haggled, always rounded, rarely wrong, sometimes in dollars.
 */
export function askedPrice(question: Question): { value: number; currency: 'CDF' | 'USD' } {
  const { level, product, market, collector, rate, random } = question
  const haggle = supplies[product.supply].haggle / 100
  // Most collectors record the announced price; one who haggles gets a different price.
  const isHaggled = random.next() < haggling
  const drawn = isHaggled ? Math.max(-mostHaggles, Math.min(mostHaggles, random.normal())) : 0
  const haggled = isHaggled ? haggle * drawn + collector.bias / 100 : 0
  const cdf = Math.exp(level + haggled) * mistake(random)
  const isInDollars = random.next() < cities[market.city].dollarHabit
  if (isInDollars && Math.exp(level) >= dearEnoughForDollarsCdf) {
    return { value: rounded(cdf / rate, cdf / rate < 20 ? 0.5 : 1), currency: 'USD' }
  }
  return { value: rounded(cdf, noteCdf(cdf, collector.roundsTo)), currency: 'CDF' }
}

/** Returns the step in FC to which a price is rounded, which grows with the price like the notes given as change. */
function noteCdf(cdf: number, roundsTo: 50 | 100): number {
  if (cdf < 1_000) return 50
  if (cdf < 10_000) return roundsTo
  return cdf < 50_000 ? 500 : 1_000
}

function rounded(value: number, step: number): number {
  return Math.max(step, Math.round(value / step) * step)
}

/** Returns the factor of a rare data entry error: one zero too many or too few, a wrong measure or a wrong quality. */
function mistake(random: Random): number {
  if (random.next() >= mistakes) return 1
  const kind = random.next()
  if (kind < 0.35) return 10
  if (kind < 0.45) return 0.1
  return kind < 0.75 ? random.between(1.8, 3.5) : random.between(0.3, 0.55)
}
