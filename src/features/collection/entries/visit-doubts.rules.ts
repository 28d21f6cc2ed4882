import type { PriceDoubt } from '#features/prices/doubt/doubt.rules.ts'

/** Nobody looks at so many goods, and asks their prices, in so few seconds. */
export const fastVisit = { goods: 10, seconds: 20 }
/** Beyond this, and what the phone says that it may be wrong by, an entry was not made on the market. */
const farMetres = 2_000
const earthMetres = 6_371_000

export type GeoPoint = { latitude: number; longitude: number }

/** What a visit says against an entry: too many goods in a few seconds, or a phone far from the market; null for nothing. */
export function doubtOfVisit(
  /** Entries of the agent in the seconds that end with this one, itself included. */
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

/** Along the surface of a sphere, by the haversine formula. */
export function metresBetween(one: GeoPoint, other: GeoPoint): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const [north, east] = [radians(other.latitude - one.latitude), radians(other.longitude - one.longitude)]
  const half =
    Math.sin(north / 2) ** 2 +
    Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * Math.sin(east / 2) ** 2
  return 2 * earthMetres * Math.asin(Math.min(1, Math.sqrt(half)))
}
