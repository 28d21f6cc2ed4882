import { ExternalLink, MapPinOff } from 'lucide-react'
import { CountryMap, isOnMap, MapName, mapPoint } from '#features/markets/country-map.view.tsx'
import type { Market } from '#features/markets/markets.contract.ts'
import { truncate } from '#web/format.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

/** The position of a market on the map of the country. */
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
  const isShown = isOnMap(here)
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
        <CountryMap label={`Carte de la RD Congo\u00a0: ${name}, ${location}`} named={[here]}>
          <circle {...mapPoint(here)} r="70" className="fill-river-fill opacity-20" />
          <circle {...mapPoint(here)} r="30" className="fill-river-fill stroke-surface" strokeWidth="8" />
          <g className="fill-ink font-semibold">
            <MapName place={{ ...here, name: truncate(name, 22) }} gap={64} />
          </g>
        </CountryMap>
      ) : (
        <EmptyState compact icon={MapPinOff} title="Hors de la carte">
          Ce marché est hors de la RD Congo.
        </EmptyState>
      )}
    </Card>
  )
}
