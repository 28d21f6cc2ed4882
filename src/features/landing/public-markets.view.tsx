import { MarketsMap } from '#features/landing/covered-markets.view.tsx'
import type { CoveredMarket } from '#features/landing/landing.contract.ts'
import { slugOf } from '#shared/accents.ts'
import { groupBy } from '#shared/group-by.ts'
import type { Site } from '#shared/site.ts'
import { formatCount, formatDate } from '#web/format.ts'
import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { PublicLayout } from '#web/layouts/public-layout.view.tsx'

type PublicMarketsProps = { markets: readonly CoveredMarket[]; site: Site; isDemonstration: boolean }

export function head(): DocumentHead {
  return {
    title: 'Marchés couverts · Ntalo',
    description: 'Les marchés de la RD Congo où Ntalo relève les prix, sur la carte et ville par ville.',
    canonicalPath: '/marches',
    enhancement: 'public-site',
  }
}

/** Shows all the markets, on the map and by province. */
export function PublicMarketsView({ markets, site, isDemonstration }: PublicMarketsProps) {
  const provinces = [...groupBy(markets, ({ province, location }) => province ?? location)].toSorted(
    ([a], [b]) => a.localeCompare(b, 'fr'),
  )
  const shown = provinces.flatMap(([, inside]) => inside)
  const isFirst = (market: CoveredMarket) =>
    shown.find(({ location }) => location === market.location) === market
  return (
    <PublicLayout site={site} isDemonstration={isDemonstration} at="/#markets">
      <div className="mx-auto max-w-6xl px-4 py-8 md:px-8 md:py-12">
        <h1 className="text-xl font-semibold tracking-tight">Marchés couverts</h1>
        <p className="mt-2 text-base text-ink-soft">
          {markets.length > 0
            ? `${formatCount(markets.length, 'marché', 'marchés')}, relevés sur place.`
            : 'Aucun marché n’est encore couvert. Les premiers s’afficheront ici.'}
        </p>
        {markets.length > 0 && (
          <div className="mt-8 grid items-start gap-8 lg:grid-cols-[1fr_22rem]">
            {/* First in the document and in its own column, so that content loaded later on a slow network does not
                move it. */}
            <div className="lg:sticky lg:top-20 lg:order-last">
              <MarketsMap markets={markets} />
            </div>
            <div className="grid items-start gap-6 sm:grid-cols-2">
              {inTwo(provinces).map((column) => (
                <div key={column[0]?.[0] ?? ''} className="space-y-6">
                  {column.map(([province, inside]) => (
                    <section key={province} aria-label={province}>
                      <h2 className="text-base font-semibold">{province}</h2>
                      <ul className="mt-2 divide-y divide-line rounded-md border border-line bg-surface">
                        {inside.map((market) => (
                          <MarketLine key={market.id} market={market} isFirst={isFirst(market)} />
                        ))}
                      </ul>
                    </section>
                  ))}
                </div>
              ))}
            </div>
          </div>
        )}
      </div>
    </PublicLayout>
  )
}

type Province = [name: string, markets: CoveredMarket[]]

/** Splits provinces into two columns of nearly the same length, keeping their order. */
function inTwo(provinces: readonly Province[]): readonly (readonly Province[])[] {
  const lines = provinces.map(([, markets]) => markets.length + 1)
  const all = lines.reduce((sum, count) => sum + count, 0)
  let before = 0
  const cut = lines.findIndex((count) => {
    before += count
    return 2 * before >= all
  })
  return [provinces.slice(0, cut + 1), provinces.slice(cut + 1)]
}

/** @param isFirst whether it is the first of its city, the target of links to the city */
function MarketLine({ market, isFirst }: { market: CoveredMarket; isFirst: boolean }) {
  const { id, name, location, count, lastDay } = market
  return (
    <li
      id={isFirst ? slugOf(location) : undefined}
      className="relative grid scroll-mt-20 grid-cols-[1fr_auto] items-center gap-x-4 px-4 py-3 target:bg-river-soft hover:bg-sunken"
    >
      <p className="min-w-0">
        <a
          href={`/marches/${id}`}
          className="font-medium text-river wrap-anywhere after:absolute after:inset-0"
        >
          {name}
        </a>
        <span className="block text-ink-soft">{location}</span>
      </p>
      <p className="text-right">
        <span className="font-semibold">{formatCount(count, 'prix', 'prix')}</span>
        <span className="block text-xs text-ink-soft">{lastDay ? formatDate(lastDay) : 'Aucun relevé'}</span>
      </p>
    </li>
  )
}
