import type { PriceDoubt } from '#features/prices/doubt/doubt.rules.ts'
import { type GeoPoint, metresBetween } from '#shared/geography.ts'

/** Nobody can look at this many goods and ask their prices in so few seconds. */
export const fastVisit = { goods: 10, seconds: 20 }
/** Beyond this distance plus the phone's reported inaccuracy, an entry was not made at the market. */
const farMetres = 2_000

/**
 * Returns the doubts that a visit raises about an entry: too many goods in a few seconds, or a phone far from the
 * market; null for none.
 */
export function doubtOfVisit(
  /** Entries of the agent in the seconds before this one, itself included. */
  recent: { goods: number; seconds: number },
  phone: (GeoPoint & { accuracyM?: number | null | undefined }) | null,
  market: GeoPoint | null,
): PriceDoubt | null {
  const reasons: PriceDoubt['reasons'] = []
  const evidence: PriceDoubt['evidence'] = {}
  if (phone && market) {
    const metres = Math.round(metresBetween(phone, market))
    if (metres - (phone.accuracyM ?? 0) > farMetres) {
      reasons.push('far')
      evidence.metres = metres
    }
  }
  if (recent.goods >= fastVisit.goods) {
    reasons.push('fast')
    Object.assign(evidence, recent)
  }
  return reasons.length > 0 ? { reasons, evidence } : null
}
