import type { FoundPrice } from '#features/public-prices/public-prices.contract.ts'
import { SearchForm } from '#features/public-prices/search-form.view.tsx'
import type { Site } from '#shared/site.ts'
import { formatCount, formatDate, formatMoney } from '#web/format.ts'
import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { PublicLayout } from '#web/layouts/public-layout.view.tsx'

type SearchProps = { text: string; found: readonly FoundPrice[]; site: Site; isDemonstration: boolean }

export function head({ text }: SearchProps): DocumentHead {
  return {
    title: text ? `${text}\u00a0: prix · Ntalo` : 'Chercher un prix · Ntalo',
    enhancement: 'public-site',
    description: 'Le dernier prix d’un produit dans un marché de la RD Congo.',
    isIndexed: false,
  }
}

/** Shows the results, each with its last price. */
export function SearchView({ text, found, site, isDemonstration }: SearchProps) {
  return (
    <PublicLayout site={site} isDemonstration={isDemonstration}>
      <div className="mx-auto max-w-3xl px-4 py-8 md:px-8 md:py-12">
        <h1 className="text-xl font-semibold tracking-tight">Chercher un prix</h1>
        <div className="mt-4">
          <SearchForm text={text} />
        </div>
        {text && (
          <p className="mt-6 text-ink-soft">
            {found.length > 0
              ? `${formatCount(found.length, 'prix trouvé', 'prix trouvés')}, le plus récent d’abord.`
              : 'Aucun prix trouvé. Essayez le nom d’un produit, puis celui d’une ville.'}
          </p>
        )}
        {found.length > 0 && (
          <ul className="mt-3 divide-y divide-line rounded-md border border-line bg-surface">
            {found.map((each) => (
              <li key={`${each.productId}-${each.marketId}`} className="flex items-center gap-4 px-4 py-3">
                <div className="min-w-0 flex-1">
                  <a
                    href={`/produits/${each.productId}`}
                    className="inline-block py-1 font-medium text-river underline wrap-anywhere"
                  >
                    {each.name}
                  </a>
                  <p className="text-sm text-ink-soft wrap-anywhere">
                    {[each.market, each.lastDay && `le ${formatDate(each.lastDay)}`]
                      .filter(Boolean)
                      .join(' · ')}
                  </p>
                </div>
                <p className="shrink-0 text-lg font-semibold whitespace-nowrap">
                  {formatMoney(each.lastPrice, each.currency ?? 'CDF')}
                </p>
              </li>
            ))}
          </ul>
        )}
        <p className="mt-6">
          <a href="/produits" className="inline-block py-1 text-river underline">
            Tous les produits
          </a>
        </p>
      </div>
    </PublicLayout>
  )
}
