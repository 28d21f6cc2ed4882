import { isFarFromLast, isOutlier, type SeriesFigures } from '#features/prices/check/check.rules.ts'
import type { Currency } from '#shared/fields.ts'

/** Reasons why a price waits for review, the most serious first. */
export const doubtReasons = ['outlier', 'absent', 'far', 'fast', 'duplicate'] as const
export type DoubtReason = (typeof doubtReasons)[number]

/** The figures that each reason is based on. */
export type DoubtEvidence = {
  /** Median of the series in the 90 days before, in CDF, and the number of its quotes. */
  usual?: number | null
  quotes?: number
  /** The price in CDF. */
  cdf?: number | null
  last?: { value: number; currency: Currency; day: string } | null
  /** Id of the price of another collector with the same amount on the same day. */
  twinId?: number
  /** Number of goods entered, and in how many seconds. */
  goods?: number
  seconds?: number
  /** Distance from the phone to the market. */
  metres?: number
  /** Id of the entry of another agent who reported the product absent on that day. */
  absentId?: number
}

export type PriceDoubt = { reasons: DoubtReason[]; evidence: DoubtEvidence }

const confirmingShare = 0.08
const confirmingQuotes = 2

/**
 * Returns whether other quotes confirm a surprising price: two of them within 8 % of it.
 * @param price in CDF
 * @param near the other quotes of its series in the 14 days before and after, in CDF
 */
export function isConfirmed(price: number, near: readonly number[]): boolean {
  const like = near.filter((quote) => Math.abs(quote - price) <= confirmingShare * price)
  return like.length >= confirmingQuotes
}

/** Returns the doubts that the series of a price raises; null where the price is usual, or confirmed by others. */
export function doubtOfSeries(reading: {
  figures: SeriesFigures
  price: number | null
  lastPrice: DoubtEvidence['last']
  lastInFrancs: number | null
  near: readonly number[]
  twinId: number | null
}): PriceDoubt | null {
  const { figures, price, lastPrice, lastInFrancs, near, twinId } = reading
  if (price === null) return null
  const isUnlike = isOutlier(price, figures) || isFarFromLast(price, lastInFrancs)
  const { median: usual, quotes } = figures
  return mergeDoubts([
    isUnlike && !isConfirmed(price, near)
      ? { reasons: ['outlier'], evidence: { usual, quotes, cdf: price, last: lastPrice ?? null } }
      : null,
    twinId === null ? null : { reasons: ['duplicate'], evidence: { twinId } },
  ])
}

/** Merges several doubts into one; null for none. */
export function mergeDoubts(doubts: readonly (PriceDoubt | null | undefined)[]): PriceDoubt | null {
  const found = doubts.filter((doubt) => doubt != null)
  if (found.length === 0) return null
  const reasons = doubtReasons.filter((reason) => found.some((doubt) => doubt.reasons.includes(reason)))
  return { reasons, evidence: Object.assign({}, ...found.map(({ evidence }) => evidence)) }
}

/**
 * Returns the distance between a price and the usual one: the absolute logarithm of their ratio; 0 where no usual price
 * is known.
 */
export function gapOf({ usual, cdf, last }: DoubtEvidence): number {
  const base = usual ?? (last?.currency === 'CDF' ? last.value : null)
  return base && cdf ? Math.abs(Math.log(cdf / base)) : 0
}

const likeShare = 0.35

/**
 * Returns the price most likely meant: the price with one or two zeros less or more, where that is near the usual one;
 * null otherwise.
 */
export function likelyPrice(priceValue: number, { usual, cdf, last }: DoubtEvidence): number | null {
  const base = usual ?? (last?.currency === 'CDF' ? last.value : null)
  if (!base || !cdf) return null
  const factor = [10, 100, 0.1, 0.01].find((each) => Math.abs(cdf / each - base) <= likeShare * base)
  return factor === undefined ? null : Math.round((100 * priceValue) / factor) / 100
}
