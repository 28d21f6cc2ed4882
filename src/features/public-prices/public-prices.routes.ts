import { readPricesByCity } from '#features/public-prices/latest-prices.sql.ts'
import { publicSearch } from '#features/public-prices/public-prices.contract.ts'
import { searchedWords } from '#features/public-prices/public-prices.rules.ts'
import {
  findPublicProduct,
  listPublicProducts,
  searchPrices,
} from '#features/public-prices/public-prices.sql.ts'
import type { Db } from '#server/db/pool.ts'
import { type Cached, createCached } from '#server/http/cached.ts'
import type { Api } from '#server/http/endpoint.ts'
import type { FormPage } from '#server/http/pages.ts'
import type { SharedPage } from '#server/http/shared-pages.ts'
import type { Log } from '#server/log.ts'
import type { Site } from '#shared/site.ts'

type Framed = () => Promise<{ site: Site; isDemonstration: boolean }>

export function publicSearchRoutes(api: Api, db: Db): void {
  api.on(publicSearch, async ({ query }) => ({ data: await searchPrices(db, searchedWords(query.q)) }))
}

/** The public pages of products: the list, and the prices of one product by city. */
export function publicProductPages(
  db: Db,
  { framed, today }: { framed: Framed; today: () => string },
): SharedPage[] {
  return [
    {
      path: '/produits',
      load: async () => ({
        view: 'public-products',
        props: { ...(await framed()), products: await listPublicProducts(db) },
      }),
    },
    {
      path: '/produits/:id',
      load: async ({ id }) => {
        const product = /^[1-9]\d{0,8}$/.test(id ?? '') ? await findPublicProduct(db, Number(id)) : undefined
        if (!product) return null
        const end = today()
        return {
          view: 'public-product',
          props: {
            ...(await framed()),
            product,
            prices: await readPricesByCity(db, product.id, end),
            today: end,
          },
        }
      },
    },
  ]
}

/** The public search page, which shows the prices themselves as results. */
export function searchPage(db: Db, framed: Framed): FormPage {
  return {
    path: '/recherche',
    async show({ query }) {
      const text = (query.q ?? '').slice(0, 100)
      return {
        view: 'search',
        props: { ...(await framed()), text, found: await searchPrices(db, searchedWords(text)) },
      }
    },
  }
}

/** Returns the addresses of public products for the sitemap; cached for ten minutes. */
export function publicProductPaths(db: Db, log: Pick<Log, 'warn'>): Cached<string[]> {
  const make = async () => ['/produits', ...(await listPublicProducts(db)).map(({ id }) => `/produits/${id}`)]
  return createCached(make, { freshMs: sitemapMs, staleMs: sitemapMs, log })
}
const sitemapMs = 600_000
