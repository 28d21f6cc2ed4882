import { MapPin } from 'lucide-react'
import type { CoveredMarket } from '#features/landing/landing.contract.ts'
import { PublicSection } from '#features/landing/section.view.tsx'
import { CountryMap, isOnMap, mapPoint } from '#features/markets/country-map.view.tsx'
import { slugOf } from '#shared/accents.ts'
import { groupBy } from '#shared/group-by.ts'
import { formatCount, formatDate } from '#web/format.ts'
import { buttonClass } from '#web/ui/button-class.ts'

const mostShown = 4

/** Shows the first four markets in a list, and all of them on the map. */
export function CoveredMarkets({ markets }: { markets: readonly CoveredMarket[] }) {
  return (
    <PublicSection
      id="markets"
      title="Marchés couverts"
      lead="Des collecteurs y relèvent les prix sur place."
    >
      {markets.length === 0 ? (
        <p className="rounded-md border border-dashed border-line-strong p-8 text-center text-ink-soft">
          Aucun marché n’est encore couvert. Les premiers s’afficheront ici.
        </p>
      ) : (
        <div className="grid gap-2 md:gap-6 lg:grid-cols-[1.2fr_1fr]">
          <div>
            <ul className="grid gap-1.5 sm:grid-cols-2 md:gap-4">
              {markets.slice(0, mostShown).map((market) => (
                <li key={market.id}>
                  <MarketCard market={market} isCompact />
                </li>
              ))}
            </ul>
            {markets.length > mostShown && (
              <p className="mt-1 md:mt-4">
                <a href="/marches" className="inline-flex h-control items-center text-river underline">
                  {`Voir les ${formatCount(markets.length, 'marché', 'marchés')}`}
                </a>
              </p>
            )}
          </div>
          <div className="max-md:hidden">
            <MarketsMap markets={markets} />
          </div>
        </div>
      )}
    </PublicSection>
  )
}

type MarketCardProps = {
  market: CoveredMarket
  /** On a phone, a row of two lines. */
  isCompact?: boolean
}

function MarketCard({ market, isCompact = false }: MarketCardProps) {
  const { id, name, location, count, lastDay } = market
  const frame = isCompact ? 'max-sm:flex-row max-sm:items-center max-sm:gap-3 max-sm:p-1 max-sm:pl-3' : ''
  return (
    <article className={`flex h-full flex-col rounded-md border border-line bg-surface p-5 ${frame}`}>
      <div className={isCompact ? 'min-w-0 max-sm:grow' : ''}>
        <h3 className="text-base font-semibold wrap-anywhere max-sm:leading-tight max-sm:text-sm">{name}</h3>
        <p
          className={`flex flex-wrap items-center gap-x-1.5 text-ink-soft ${isCompact ? 'sm:mt-1' : 'mt-1'}`}
        >
          <MapPin className="size-4 shrink-0" aria-hidden />
          {location}
          {isCompact && lastDay && <span className="text-xs sm:hidden">{`le ${formatDate(lastDay)}`}</span>}
        </p>
        <p className={isCompact ? 'mt-3 max-sm:hidden' : 'mt-3'}>
          <span className="font-semibold">{formatCount(count, 'prix', 'prix')}</span>
          <span className="block text-xs text-ink-soft">
            {lastDay ? `Mis à jour le ${formatDate(lastDay)}` : 'Aucun relevé pour le moment'}
          </span>
        </p>
      </div>
      <p className={isCompact ? 'shrink-0 sm:mt-auto sm:pt-4' : 'mt-auto pt-4'}>
        <a
          href={`/marches/${id}`}
          className={buttonClass('secondary', isCompact ? 'max-sm:px-3 sm:w-full' : 'w-full')}
        >
          Voir les prix
          <span className="sr-only">{` de ${name}, ${location}`}</span>
        </a>
      </p>
    </article>
  )
}

/**
 * Draws a dot for each city, larger if it has several markets, linked to its market or to the city in the list of all.
 */
export function MarketsMap({ markets }: { markets: readonly CoveredMarket[] }) {
  const places = groupBy(
    markets.flatMap(({ id, name, location, latitude, longitude }) =>
      latitude === null || longitude === null ? [] : [{ id, name, location, latitude, longitude }],
    ),
    ({ location }) => location,
  )
  const dots = [...places.values()].flatMap(([first, ...others]) =>
    first && isOnMap(first) ? [{ ...first, count: others.length + 1 }] : [],
  )
  // Counts all cities, including those of markets without coordinates.
  const towns = formatCount(new Set(markets.map(({ location }) => location)).size, 'ville', 'villes')
  return (
    <figure className="rounded-md border border-line bg-surface p-5">
      <CountryMap
        nameGap={78}
        isInteractive
        label={`Carte de la RD Congo\u00a0: ${formatCount(markets.length, 'marché couvert', 'marchés couverts')} dans ${towns}`}
      >
        {dots.map((place) => (
          <a
            key={place.location}
            href={place.count > 1 ? `/marches#${slugOf(place.location)}` : `/marches/${place.id}`}
            aria-label={nameOf(place)}
          >
            <circle
              {...mapPoint(place)}
              r={24 + 10 * Math.min(4, place.count)}
              className="fill-river-fill stroke-surface hover:fill-ink"
              strokeWidth="8"
            >
              <title>{nameOf(place)}</title>
            </circle>
          </a>
        ))}
      </CountryMap>
      <figcaption className="mt-3 text-center text-xs text-ink-soft">
        {`${formatCount(markets.length, 'marché', 'marchés')} dans ${towns}`}
      </figcaption>
    </figure>
  )
}

function nameOf({ name, location, count }: { name: string; location: string; count: number }): string {
  return `${location}\u00a0: ${count > 1 ? formatCount(count, 'marché', 'marchés') : name}`
}
