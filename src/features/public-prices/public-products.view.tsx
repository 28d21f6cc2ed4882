import type { PublicProduct } from '#features/public-prices/public-prices.rules.ts'
import { SearchForm } from '#features/public-prices/search-form.view.tsx'
import { groupBy } from '#shared/group-by.ts'
import type { Site } from '#shared/site.ts'
import type { DocumentHead } from '#web/layouts/document.view.tsx'
import { PublicLayout } from '#web/layouts/public-layout.view.tsx'

type PublicProductsProps = { products: readonly PublicProduct[]; site: Site; isDemonstration: boolean }

export function head(): DocumentHead {
  return {
    title: 'Prix par produit en RD Congo · Ntalo',
    enhancement: 'public-site',
    description: 'Les produits dont les prix sont relevés sur les marchés de la RD Congo.',
    canonicalPath: '/produits',
  }
}

/** Lists all products that have a price, by category. */
export function PublicProductsView({ products, site, isDemonstration }: PublicProductsProps) {
  return (
    <PublicLayout site={site} isDemonstration={isDemonstration}>
      <div className="mx-auto max-w-6xl px-4 py-8 md:px-8 md:py-12">
        <h1 className="text-xl font-semibold tracking-tight">Prix par produit</h1>
        <div className="mt-4 max-w-xl">
          <SearchForm />
        </div>
        {products.length === 0 && (
          <p className="mt-8 text-ink-soft">Aucun prix trouvé. Les premiers relevés s’afficheront ici.</p>
        )}
        <div className="mt-8 grid gap-8 sm:grid-cols-2 lg:grid-cols-3">
          {[...groupBy(products, ({ category }) => category)].map(([category, ofIt]) => (
            <section key={category} className="min-w-0 wrap-anywhere">
              <h2 className="text-base font-semibold">{category}</h2>
              <ul className="mt-2">
                {ofIt.map(({ id, name, weight }) => (
                  <li key={id}>
                    <a
                      href={`/produits/${id}`}
                      className="inline-block py-1.5 text-river underline wrap-anywhere"
                    >
                      {`${name}, ${weight}`}
                    </a>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      </div>
    </PublicLayout>
  )
}
