import { percentInterval } from '#features/figures/price-index/price-index.rules.ts'
import { priceTypeOf } from '#features/products/products.rules.ts'
import {
  type PriceInCity,
  type PublicProduct,
  publicFreshDays,
} from '#features/public-prices/public-prices.rules.ts'
import { SearchForm } from '#features/public-prices/search-form.view.tsx'
import { addDays } from '#shared/days.ts'
import type { Site } from '#shared/site.ts'
import { formatCount, formatDate, formatInterval, formatMoney, formatPercent } from '#web/format.ts'
import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { PublicLayout } from '#web/layouts/public-layout.view.tsx'
import { buttonClass } from '#web/ui/button-class.ts'

type PublicProductProps = {
  product: PublicProduct
  prices: readonly PriceInCity[]
  today: string
  site: Site
  isDemonstration: boolean
}

export function head(props: PublicProductProps): DocumentHead {
  const { product, prices } = props
  return {
    title: `Prix\u00a0: ${product.name}, ${product.weight}, en RD Congo · Ntalo`,
    enhancement: 'public-site',
    description: sentenceOf(props),
    canonicalPath: `/produits/${product.id}`,
    data: {
      '@context': 'https://schema.org',
      '@type': 'Dataset',
      name: `Prix\u00a0: ${product.name}, ${product.weight}, en RD Congo`,
      description: sentenceOf(props),
      inLanguage: 'fr',
      creator: { '@type': 'Organization', name: 'Ntalo' },
      ...(prices[0] && { dateModified: prices[0].observedOn }),
      spatialCoverage: { '@type': 'Country', name: 'République démocratique du Congo' },
    },
  }
}

/** Returns for example « De 2 100 FC à Kisangani à 4 100 FC à Matadi ces 14 derniers jours, dans 17 marchés. » */
function sentenceOf({ prices, today }: PublicProductProps): string {
  const recent = prices.filter(({ observedOn }) => isFresh(observedOn, today))
  const inFrancs = recent.filter(({ currency }) => currency === 'CDF')
  // Amounts in different currencies are not compared: those in dollars are said where there are no others.
  const fresh = (inFrancs.length > 0 ? inFrancs : recent).toSorted((a, b) => a.priceValue - b.priceValue)
  const [low, high] = [fresh[0], fresh.at(-1)]
  if (!low || !high) return 'Aucun relevé ces 14\u00a0derniers jours.'
  const said = ({ priceValue, currency, market }: PriceInCity) =>
    `${formatMoney(priceValue, currency)} à ${market.location}`
  return low === high
    ? `${said(low)}, relevé le ${formatDate(low.observedOn)}.`
    : `De ${said(low)} à ${said(high)} ces 14\u00a0derniers jours, dans ${formatCount(fresh.length, 'marché', 'marchés')}.`
}

function isFresh(day: string, today: string): boolean {
  return day >= addDays(today, -publicFreshDays)
}

/** Shows the last price of a product in each market, with its day and its change; the history needs an account. */
export function PublicProductView(props: PublicProductProps) {
  const { product, prices, today, site, isDemonstration } = props
  return (
    <PublicLayout site={site} isDemonstration={isDemonstration}>
      <div className="mx-auto max-w-3xl px-4 py-8 md:px-8 md:py-12">
        <nav aria-label="Fil d’Ariane" className="text-sm text-ink-soft wrap-anywhere">
          <a href="/produits" className="inline-block py-1 text-river underline">
            Produits
          </a>
          {` › ${product.category}`}
        </nav>
        <h1 className="mt-2 text-xl font-semibold tracking-tight wrap-anywhere">
          {`${product.name}, ${product.weight}`}
        </h1>
        <p className="mt-2 text-base wrap-anywhere">{sentenceOf(props)}</p>
        <table className="mt-6 w-full rounded-md border border-line bg-surface">
          <caption className="sr-only">Dernier prix par marché</caption>
          <thead>
            <tr className="border-b border-line text-xs text-ink-soft">
              <th scope="col" className="py-2 pl-4 text-left font-medium">
                Marché
              </th>
              <th scope="col" className="px-2 py-2 text-right font-medium">
                Prix
              </th>
              <th scope="col" className="py-2 pr-4 pl-2 text-right font-medium">
                En 30 jours
              </th>
            </tr>
          </thead>
          <tbody>
            {prices.map((price) => (
              <CityRow key={price.market.id} price={price} isOld={!isFresh(price.observedOn, today)} />
            ))}
          </tbody>
        </table>
        <p className="mt-3 text-sm text-ink-soft">
          {`${priceTypeWords(product)}, relevés sur place. Un prix de plus de 14\u00a0jours est en gris. `}
          <a href="/methode" className="text-river underline">
            Comment ces chiffres sont calculés
          </a>
        </p>
        <div className="mt-6 rounded-md border border-line bg-surface p-4">
          <p>L’historique, les alertes, les fichiers et la comparaison demandent un compte.</p>
          <p className="mt-3">
            <a href="/auth/register" className={buttonClass('primary')}>
              Essayer 14 jours
            </a>
          </p>
        </div>
        <div className="mt-6">
          <SearchForm />
        </div>
      </div>
    </PublicLayout>
  )
}

function priceTypeWords(product: PublicProduct): string {
  if (!product.isGood) return 'Prix'
  const type = priceTypeOf(product)
  return type === 'gros'
    ? 'Prix de gros'
    : type === 'producteur'
      ? 'Prix payés au producteur'
      : 'Prix payés au détail'
}

const words = { up: 'hausse', down: 'baisse', stable: 'stable' } as const
const colours = { up: 'text-red', down: 'text-green', stable: '' } as const

function CityRow({ price, isOld }: { price: PriceInCity; isOld: boolean }) {
  const { market, priceValue, currency, observedOn, change, trend } = price
  const isFaint = isOld || change?.isThin === true
  const colour = isFaint ? 'text-ink-soft' : trend ? colours[trend] : ''
  return (
    <tr className="border-b border-line last:border-0">
      <th scope="row" className="py-2.5 pl-4 text-left font-normal">
        <a
          href={`/marches/${market.id}`}
          className="inline-block py-0.5 font-medium text-river underline wrap-anywhere"
        >
          {`${market.location}, ${market.name}`}
        </a>
        <span className="block text-xs text-ink-soft">{formatDate(observedOn)}</span>
      </th>
      <td className={`px-2 text-right font-semibold whitespace-nowrap ${isOld ? 'text-ink-soft' : ''}`}>
        {formatMoney(priceValue, currency)}
      </td>
      <td className={`py-2 pr-4 pl-2 text-right text-sm ${colour}`}>
        {change ? (
          <>
            <span className="font-medium whitespace-nowrap">{formatPercent(100 * change.value)}</span>
            <span className="block text-xs">
              {[
                change.margin !== null &&
                  `(${formatInterval(100 * change.value, percentInterval({ value: change.value, margin: change.margin }))})`,
                trend && words[trend],
              ]
                .filter(Boolean)
                .join(' ')}
            </span>
          </>
        ) : (
          <span className="text-xs text-ink-soft">trop peu de relevés</span>
        )}
      </td>
    </tr>
  )
}
