import { ExternalLink, MapPinOff } from 'lucide-react'
import type { Market } from '#features/markets/markets.contract.ts'
import { countryOutline } from '#features/markets/ui/country-outline.ts'
import { truncate } from '#web/format.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

// In hundredths of a degree, like the outline: so near the equator, degrees are as long in both directions.
const frame = { left: 1130, top: -600, width: 2090, height: 2010 }

/** Cities that everybody knows, to read the map by. Coordinates are those of the World Food Programme's market list. */
const landmarks = [
  { name: 'Kinshasa', latitude: -4.32, longitude: 15.31 },
  { name: 'Mbandaka', latitude: 0.05, longitude: 18.26 },
  { name: 'Kisangani', latitude: 0.52, longitude: 25.19, isToTheRight: true },
  { name: 'Goma', latitude: -1.67, longitude: 29.22 },
  { name: 'Kananga', latitude: -5.9, longitude: 22.42 },
  { name: 'Lubumbashi', latitude: -11.66, longitude: 27.48 },
]

type Place = { name: string; latitude: number; longitude: number; isToTheRight?: boolean }

/** Where in the country a market is. */
export function MarketMap({ market }: { market: Market }) {
  const { name, location, latitude, longitude } = market
  if (latitude === null || longitude === null) {
    return (
      <Card title="Sur la carte">
        <EmptyState compact icon={MapPinOff} title="Position inconnue">
          Donnez la latitude et la longitude du marché pour le voir sur la carte.
        </EmptyState>
      </Card>
    )
  }
  const here = { name, latitude, longitude }
  const isShown = isInFrame(here)
  return (
    <Card
      title="Sur la carte"
      footer={
        <span className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-xs">
          Tracé&nbsp;: Natural Earth
          <a
            href={`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=15/${latitude}/${longitude}`}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-11 items-center gap-1 text-river hover:underline md:pointer-fine:min-h-6"
          >
            Voir sur OpenStreetMap
            <ExternalLink className="size-3.5" aria-hidden />
            <span className="sr-only">(nouvel onglet)</span>
          </a>
        </span>
      }
    >
      {isShown ? (
        <svg
          role="img"
          aria-label={`Carte de la RD Congo\u00a0: ${name}, ${location}`}
          viewBox={`${frame.left} ${frame.top} ${frame.width} ${frame.height}`}
          className="mx-auto block w-full max-w-sm text-[78px]"
        >
          <path d={countryOutline} className="fill-sunken stroke-line-strong" strokeWidth="8" />
          {landmarks
            .filter((landmark) => !isNear(landmark, here))
            .map((landmark) => (
              <g key={landmark.name} className="fill-ink-soft">
                <circle {...pointOf(landmark)} r="12" />
                <Name place={landmark} gap={34} />
              </g>
            ))}
          <circle {...pointOf(here)} r="70" className="fill-river-fill opacity-20" />
          <circle {...pointOf(here)} r="30" className="fill-river-fill stroke-surface" strokeWidth="8" />
          <g className="fill-ink font-semibold">
            <Name place={{ ...here, name: truncate(name, 22) }} gap={64} />
          </g>
        </svg>
      ) : (
        <EmptyState compact icon={MapPinOff} title="Hors de la carte">
          Ce marché est hors de la RD Congo.
        </EmptyState>
      )}
    </Card>
  )
}

/** Written towards the middle unless told otherwise, so that it stays on the map. */
function Name({ place, gap }: { place: Place; gap: number }) {
  const { cx, cy } = pointOf(place)
  const { isToTheRight = cx < frame.left + frame.width / 2 } = place
  return (
    <text
      x={cx + (isToTheRight ? gap : -gap)}
      y={cy}
      dominantBaseline="central"
      paintOrder="stroke"
      strokeWidth="16"
      className="stroke-sunken"
      textAnchor={isToTheRight ? 'start' : 'end'}
    >
      {place.name}
    </text>
  )
}

function pointOf({ latitude, longitude }: Place): { cx: number; cy: number } {
  return { cx: Math.round(longitude * 100), cy: Math.round(-latitude * 100) }
}

function isInFrame(place: Place): boolean {
  const { cx, cy } = pointOf(place)
  const { left, top, width, height } = frame
  return cx > left && cx < left + width && cy > top && cy < top + height
}

/** So near that one name would cover the other. */
function isNear(a: Place, b: Place): boolean {
  return Math.abs(a.latitude - b.latitude) < 1 && Math.abs(a.longitude - b.longitude) < 10
}
