const earthMetres = 6_371_000

/** Decimal degrees. */
export type GeoPoint = { latitude: number; longitude: number }

/** Returns the distance in metres along the surface of a sphere, by the haversine formula. */
export function metresBetween(one: GeoPoint, other: GeoPoint): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const [north, east] = [radians(other.latitude - one.latitude), radians(other.longitude - one.longitude)]
  const half =
    Math.sin(north / 2) ** 2 +
    Math.cos(radians(one.latitude)) * Math.cos(radians(other.latitude)) * Math.sin(east / 2) ** 2
  return 2 * earthMetres * Math.asin(Math.min(1, Math.sqrt(half)))
}
