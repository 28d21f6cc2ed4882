import type { ReactNode } from 'react'
import { countryOutline } from '#features/markets/country-outline.rules.ts'

/** In decimal degrees, north and east positive. */
export type MapPlace = {
  name: string
  latitude: number
  longitude: number
  /** Where its name stands, when not beside it. */
  nameAt?: 'above' | 'below'
}

// In hundredths of a degree, like the outline: so near the equator, degrees are as long in both directions.
export const mapFrame = { left: 1130, top: -600, width: 2090, height: 2010 }

/** Cities that everybody knows, to read the map by. Coordinates are those of the World Food Programme's market list. */
const landmarks: readonly MapPlace[] = [
  { name: 'Kinshasa', latitude: -4.32, longitude: 15.31 },
  { name: 'Mbandaka', latitude: 0.05, longitude: 18.26 },
  { name: 'Kisangani', latitude: 0.52, longitude: 25.19, nameAt: 'above' },
  { name: 'Goma', latitude: -1.67, longitude: 29.22 },
  { name: 'Kananga', latitude: -5.9, longitude: 22.42, nameAt: 'below' },
  { name: 'Lubumbashi', latitude: -11.66, longitude: 27.48, nameAt: 'below' },
]

type CountryMapProps = {
  label: string
  /** Whose own names stand in place of a landmark's. */
  named?: readonly MapPlace[]
  /** What the country is drawn as; its outline without it. */
  land?: ReactNode
  /** What is drawn on the country, under the names of the cities. */
  children?: ReactNode
  /** Whether something on it can be reached and pressed. */
  isInteractive?: boolean
  /** Whether a dot says where each city is, over what is drawn where that is pressed; a name says it alone without. */
  areCitiesMarked?: boolean
  /** Of names, in hundredths of a degree. */
  textSize?: number
  /** From the middle of a city to its name, in hundredths of a degree: more than what is drawn there is wide. */
  nameGap?: number
  className?: string
}

/** The country as an outline, with its great cities: no tiles, nothing to load. */
export function CountryMap({
  label,
  named = [],
  land = <path d={countryOutline} className="fill-sunken stroke-line-strong" strokeWidth="8" />,
  children,
  isInteractive = false,
  areCitiesMarked = !isInteractive,
  textSize = 78,
  nameGap = 34,
  className = 'max-w-sm',
}: CountryMapProps) {
  const cities = landmarks.filter((landmark) => !named.some((place) => isNear(landmark, place)))
  const dots =
    areCitiesMarked &&
    cities.map((city) => (
      <circle key={city.name} {...mapPoint(city)} r={textSize / 6.5} className="fill-ink-soft" />
    ))
  return (
    <svg
      // A picture would hide what is pressed on it from those who cannot see it.
      role={isInteractive ? 'group' : 'img'}
      aria-label={label}
      viewBox={`${mapFrame.left} ${mapFrame.top} ${mapFrame.width} ${mapFrame.height}`}
      fontSize={textSize}
      className={`mx-auto block w-full ${className}`}
    >
      {land}
      {!isInteractive && dots}
      {children}
      <g className="pointer-events-none fill-ink-soft">
        {isInteractive && dots}
        {cities.map((city) => (
          <MapName key={city.name} place={city} gap={nameGap} />
        ))}
      </g>
    </svg>
  )
}

/** Written towards the middle, so that it stays on the map, or over or under it where neighbours stand on both sides. */
export function MapName({ place, gap }: { place: MapPlace; gap: number }) {
  const { cx, cy } = mapPoint(place)
  const isToTheRight = cx < mapFrame.left + mapFrame.width / 2
  const position = place.nameAt
    ? ({ x: cx, y: cy + (place.nameAt === 'below' ? 1 : -1) * (gap + 30), textAnchor: 'middle' } as const)
    : ({
        x: cx + (isToTheRight ? gap : -gap),
        y: cy,
        textAnchor: isToTheRight ? 'start' : 'end',
      } as const)
  return (
    <text
      {...position}
      dominantBaseline="central"
      paintOrder="stroke"
      strokeWidth={16}
      className="stroke-sunken"
    >
      {place.name}
    </text>
  )
}

/** Where a place is on the map. */
export function mapPoint({ latitude, longitude }: Omit<MapPlace, 'name'>): { cx: number; cy: number } {
  return { cx: Math.round(longitude * 100), cy: Math.round(-latitude * 100) }
}

export function isOnMap(place: Omit<MapPlace, 'name'>): boolean {
  const { cx, cy } = mapPoint(place)
  const { left, top, width, height } = mapFrame
  return cx > left && cx < left + width && cy > top && cy < top + height
}

/** So near that one name would cover the other. */
function isNear(a: MapPlace, b: MapPlace): boolean {
  return Math.abs(a.latitude - b.latitude) < 1 && Math.abs(a.longitude - b.longitude) < 10
}
