import { isFarFromLast, isOutlier, type SeriesFigures } from '#features/prices/check/check.rules.ts'
import type { Currency } from '#shared/fields.ts'

/** Why a price waits for somebody to look at it, the gravest first. */
export const doubtReasons = ['outlier', 'absent', 'far', 'fast', 'duplicate'] as const
export type DoubtReason = (typeof doubtReasons)[number]

/** What each reason rests on. */
export type DoubtEvidence = {
  /** The median of the series in the 90 days before, in CDF, and of how many quotes. */
  usual?: number | null
  quotes?: number
  /** The price itself in CDF. */
  cdf?: number | null
  last?: { value: number; currency: Currency; day: string } | null
  /** The price of another collector with the same amount that day. */
  twinId?: number
  /** So many goods were entered in so many seconds. */
  goods?: number
  seconds?: number
  /** How far from the market the phone was. */
  metres?: number
  /** The entry of another agent who said on that day that the product was not there. */
  absentId?: number
}

export type PriceDoubt = { reasons: DoubtReason[]; evidence: DoubtEvidence }

const confirmingShare = 0.08
const confirmingQuotes = 2

/**
 * Whether other quotes say that a price is right, however it surprises: two of them within 8 % of it.
 *
 * @param price in CDF
 * @param near the other quotes of its series in the 14 days before and after, in CDF
 */
export function isConfirmed(price: number, near: readonly number[]): boolean {
  const like = near.filter((quote) => Math.abs(quote - price) <= confirmingShare * price)
  return like.length >= confirmingQuotes
}

/** What the series of a price says against it: null where it is a price like others, or others confirm it. */
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
  return togetherDoubts([
    isUnlike && !isConfirmed(price, near)
      ? { reasons: ['outlier'], evidence: { usual, quotes, cdf: price, last: lastPrice ?? null } }
      : null,
    twinId === null ? null : { reasons: ['duplicate'], evidence: { twinId } },
  ])
}

/** Several doubts as one; null for none. */
export function togetherDoubts(doubts: readonly (PriceDoubt | null | undefined)[]): PriceDoubt | null {
  const found = doubts.filter((doubt) => doubt != null)
  if (found.length === 0) return null
  const reasons = doubtReasons.filter((reason) => found.some((doubt) => doubt.reasons.includes(reason)))
  return { reasons, evidence: Object.assign({}, ...found.map(({ evidence }) => evidence)) }
}

/** How far a price is from what is usual, as the logarithm of their ratio; 0 where nothing is usual. */
export function gapOf({ usual, cdf, last }: DoubtEvidence): number {
  const base = usual ?? (last?.currency === 'CDF' ? last.value : null)
  return base && cdf ? Math.abs(Math.log(cdf / base)) : 0
}

const likeShare = 0.35

/** What was most likely meant: the price with a zero less or more, where that is near what is usual; null otherwise. */
export function likelyPrice(priceValue: number, { usual, cdf, last }: DoubtEvidence): number | null {
  const base = usual ?? (last?.currency === 'CDF' ? last.value : null)
  if (!base || !cdf) return null
  const factor = [10, 100, 0.1, 0.01].find((each) => Math.abs(cdf / each - base) <= likeShare * base)
  return factor === undefined ? null : Math.round((100 * priceValue) / factor) / 100
}
