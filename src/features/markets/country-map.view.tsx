import type { ReactNode } from 'react'
import { countryOutline } from '#features/markets/country-outline.rules.ts'

/** In decimal degrees, north and east positive. */
export type MapPlace = {
  name: string
  latitude: number
  longitude: number
  /** Position of its name, when not beside it. */
  nameAt?: 'above' | 'below'
}

// In hundredths of a degree, like the outline: near the equator, a degree has the same length in both directions.
export const mapFrame = { left: 1130, top: -600, width: 2090, height: 2010 }

/** Well-known cities as landmarks. Coordinates are from the World Food Programme's list of markets. */
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
  /** Places whose own names replace a nearby landmark. */
  named?: readonly MapPlace[]
  /** Drawing of the country; its outline when absent. */
  land?: ReactNode
  /** Content drawn on the country, under the names of the cities. */
  children?: ReactNode
  /** Whether the map contains elements that can be focused and pressed. */
  isInteractive?: boolean
  /** Whether each city has a dot, drawn above the content on an interactive map; otherwise only its name is shown. */
  areCitiesMarked?: boolean
  /** Size of names, in hundredths of a degree. */
  textSize?: number
  /** Distance from a city to its name, in hundredths of a degree: more than the width of the content drawn there. */
  nameGap?: number
  className?: string
}

/** The outline of the country with its main cities, without tiles or requests. */
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
      // Role `img` would hide the interactive elements from screen readers.
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

/**
 * A name written towards the middle so that it stays on the map, or above or below its place where there are neighbours
 * on both sides.
 */
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

/** Returns the coordinates of a place on the map. */
export function mapPoint({ latitude, longitude }: Omit<MapPlace, 'name'>): { cx: number; cy: number } {
  return { cx: Math.round(longitude * 100), cy: Math.round(-latitude * 100) }
}

export function isOnMap(place: Omit<MapPlace, 'name'>): boolean {
  const { cx, cy } = mapPoint(place)
  const { left, top, width, height } = mapFrame
  return cx > left && cx < left + width && cy > top && cy < top + height
}

/** Returns whether the name of one place would cover the other. */
function isNear(a: MapPlace, b: MapPlace): boolean {
  return Math.abs(a.latitude - b.latitude) < 1 && Math.abs(a.longitude - b.longitude) < 10
}
