import { LockKeyhole } from 'lucide-react'
import { ChangeText } from '#features/landing/change-text.view.tsx'
import type { CoveredMarket } from '#features/landing/landing.contract.ts'
import { Definition } from '#features/landing/section.view.tsx'
import { CountryMap, isOnMap, MapName, mapPoint } from '#features/markets/country-map.view.tsx'
import type { PriceInMarket } from '#features/prices/in-market/in-market.contract.ts'
import type { Site } from '#shared/site.ts'
import { formatCount, formatDate, formatMoney, truncate } from '#web/format.ts'
import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { PublicLayout } from '#web/layouts/public-layout.view.tsx'
import { buttonClass } from '#web/ui/button-class.ts'

type PublicMarketProps = {
  market: CoveredMarket
  prices: readonly PriceInMarket[]
  /** The first day of fresh prices: older ones are grey. */
  freshFrom: string
  /** Products with a price in this market, shown or not. */
  total: number
  /** Other markets, by `othersOf`. */
  others: readonly CoveredMarket[]
  site: Site
  isDemonstration: boolean
}

export function head({ market }: PublicMarketProps): DocumentHead {
  const { id, name, location, latitude, longitude } = market
  const description = `${name}, ${location}\u00a0: les derniers prix relevés, leur unité, leur évolution et leur date.`
  return {
    title: `Prix\u00a0: ${name}, ${location} · Ntalo`,
    description,
    canonicalPath: `/marches/${id}`,
    enhancement: 'public-site',
    data: {
      '@context': 'https://schema.org',
      '@type': 'Dataset',
      name: `Prix\u00a0: ${name}, ${location}`,
      description,
      inLanguage: 'fr',
      creator: { '@type': 'Organization', name: 'Ntalo' },
      ...(market.lastDay && { dateModified: market.lastDay }),
      spatialCoverage: {
        '@type': 'Place',
        name: `${name}, ${location}`,
        ...(latitude !== null &&
          longitude !== null && { geo: { '@type': 'GeoCoordinates', latitude, longitude } }),
      },
    },
  }
}

/** Shows the latest public prices of one market; the others need an account. */
export function PublicMarketView(props: PublicMarketProps) {
  const { market, prices, freshFrom, total, others, site, isDemonstration } = props
  const { name, location, province, count, lastDay } = market
  return (
    <PublicLayout site={site} isDemonstration={isDemonstration} at="/#markets">
      <div className="mx-auto max-w-6xl px-4 py-8 md:px-8 md:py-12">
        <nav aria-label="Fil d’Ariane" className="text-sm text-ink-soft">
          <a href="/marches" className="inline-block py-1 text-river underline">
            Marchés
          </a>
          {' › '}
          {name}
        </nav>
        <h1 className="mt-2 text-xl font-semibold tracking-tight wrap-anywhere">{name}</h1>
        <p className="mt-1 text-base text-ink-soft">
          {[location, province !== location && province].filter(Boolean).join(', ')}
          {` · ${formatCount(count, 'prix relevé', 'prix relevés')}`}
          {lastDay && ` · mis à jour le ${formatDate(lastDay)}`}
        </p>
        <div className="mt-8 grid gap-6 lg:grid-cols-[1.7fr_1fr]">
          <div className="min-w-0">
            {prices.length === 0 ? (
              <p className="rounded-md border border-dashed border-line-strong p-8 text-center text-ink-soft">
                Aucun prix trouvé. Les premiers relevés de ce marché s’afficheront ici.
              </p>
            ) : (
              <PriceTable prices={prices} freshFrom={freshFrom} />
            )}
            {total > prices.length && <MorePrices hidden={total - prices.length} />}
          </div>
          <aside className="space-y-6">
            <MarketPlace market={market} />
            {others.length > 0 && <OtherMarkets markets={others} />}
          </aside>
        </div>
      </div>
    </PublicLayout>
  )
}

function PriceTable({ prices, freshFrom }: { prices: readonly PriceInMarket[]; freshFrom: string }) {
  return (
    <section className="rounded-md border border-line bg-surface">
      <h2 className="px-4 pt-4 text-base font-semibold sm:px-5">Derniers prix relevés</h2>
      <table className="mt-2 w-full">
        <thead>
          <tr className="border-b border-line text-xs text-ink-soft">
            <th scope="col" className="py-2 pl-4 text-left font-medium sm:pl-5">
              Produit
            </th>
            <th scope="col" className="px-2 py-2 text-right font-medium">
              Prix
            </th>
            <th scope="col" className="py-2 pr-4 pl-2 text-right font-medium sm:pr-5">
              Évolution
            </th>
          </tr>
        </thead>
        <tbody>
          {prices.map(({ product, priceValue, currency, observedOn, previous }) => (
            <tr key={product.id} className="border-b border-line last:border-0">
              <th scope="row" className="py-2.5 pl-4 text-left font-normal sm:pl-5">
                <span className="font-medium wrap-anywhere">{product.name}</span>
                <span className="block text-xs text-ink-soft">
                  {`${product.weight}, ${formatDate(observedOn)}`}
                </span>
              </th>
              <td
                className={`px-2 text-right font-semibold whitespace-nowrap ${observedOn < freshFrom ? 'text-grey' : ''}`}
              >
                {formatMoney(priceValue, currency)}
              </td>
              <td className="py-2.5 pr-4 pl-2 text-right sm:pr-5">
                {previous ? (
                  <>
                    {/* Grey: two prices are too few to judge a change. */}
                    <ChangeText value={priceValue / previous.priceValue - 1} isFaint />
                    <span className="block text-xs text-ink-soft">
                      {`depuis le ${formatDate(previous.observedOn)}`}
                    </span>
                  </>
                ) : (
                  <span className="text-ink-soft">
                    {currency === 'CDF'
                      ? 'Pas de prix antérieur en francs'
                      : 'Pas de prix antérieur en dollars'}
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="px-4 py-2 sm:px-5">
        <Definition href="/methode#hebdomadaire" of="Derniers prix relevés" />
      </div>
    </section>
  )
}

function MorePrices({ hidden }: { hidden: number }) {
  return (
    <section className="mt-4 rounded-md border border-river bg-river-soft p-6">
      <h2 className="flex items-center gap-2 text-base font-semibold">
        <LockKeyhole className="size-4.5 text-river" aria-hidden />
        {`${formatCount(hidden, 'autre produit', 'autres produits')} dans ce marché`}
      </h2>
      <p className="mt-2 max-w-xl text-ink-soft">
        Avec un compte&nbsp;: tous les prix, leur historique, la comparaison des marchés et les fichiers. 14
        jours d’essai, sans moyen de paiement.
      </p>
      <p className="mt-4 flex flex-wrap gap-3">
        <a href="/auth/register" className={buttonClass('primary')}>
          S’inscrire
        </a>
        <a href="/auth/login" className={buttonClass('secondary')}>
          Se connecter
        </a>
      </p>
    </section>
  )
}

function MarketPlace({ market }: { market: CoveredMarket }) {
  const { name, location, latitude, longitude } = market
  if (latitude === null || longitude === null || !isOnMap({ latitude, longitude })) return null
  const here = { name: truncate(name, 22), latitude, longitude }
  return (
    <figure className="rounded-md border border-line bg-surface p-5">
      <CountryMap label={`Carte de la RD Congo\u00a0: ${name}, ${location}`} named={[here]}>
        <circle {...mapPoint(here)} r="40" className="fill-river-fill stroke-surface" strokeWidth="8" />
        <g className="fill-ink font-semibold">
          <MapName place={here} gap={64} />
        </g>
      </CountryMap>
    </figure>
  )
}

function OtherMarkets({ markets }: { markets: readonly CoveredMarket[] }) {
  return (
    <nav aria-label="Autres marchés" className="rounded-md border border-line bg-surface p-5">
      <h2 className="text-base font-semibold">Autres marchés</h2>
      <ul className="mt-2">
        {markets.map(({ id, name, location }) => (
          <li key={id}>
            <a href={`/marches/${id}`} className="inline-block py-1.5 text-river hover:underline">
              {`${name}, ${location}`}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
