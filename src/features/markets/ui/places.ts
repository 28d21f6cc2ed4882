import type { Market } from '#features/markets/markets.contract.ts'
import type { TimeZone } from '#features/markets/markets.rules.ts'
import { formatNumber } from '#web/format.ts'
import { foldText } from '#web/ui/match-text.ts'

const zones: Record<TimeZone, { city: string; offset: string }> = {
  'Africa/Kinshasa': { city: 'Kinshasa', offset: 'UTC+1' },
  'Africa/Lubumbashi': { city: 'Lubumbashi', offset: 'UTC+2' },
}

/** Returns `Marché central, Boma`, since half of the cities have a market of that name. */
export function fullName({ name, location }: Pick<Market, 'name' | 'location'>): string {
  return foldText(name) === foldText(location) ? name : `${name}, ${location}`
}

/** Returns `Kinshasa (UTC+1)`. */
export function zoneName(zone: TimeZone): string {
  const { city, offset } = zones[zone]
  return `${city} (${offset})`
}

/** Returns `UTC+1`. */
export function zoneOffset(zone: TimeZone): string {
  return zones[zone].offset
}

/** Formats decimal degrees, north and east positive, as `4,325° S, 15,3222° E`. */
export function formatCoordinates(latitude: number, longitude: number): string {
  const side = (value: number, positive: string, negative: string) =>
    `${formatNumber(Math.abs(value), 4)}°\u00a0${value < 0 ? negative : positive}`
  return `${side(latitude, 'N', 'S')}, ${side(longitude, 'E', 'O')}`
}
