import type { CoveredMarket, PublicFigures } from '#features/landing/landing.contract.ts'
import { findCoveredMarket } from '#features/landing/landing.sql.ts'
import type { OverviewSource } from '#features/landing/overview.routes.ts'
import type { PriceInMarket } from '#features/prices/in-market/in-market.contract.ts'
import { listPricesInMarket } from '#features/prices/in-market/in-market.sql.ts'
import type { Db } from '#server/db/pool.ts'
import type { SharedPage } from '#server/http/shared-pages.ts'
import { addDays, dayInKinshasa } from '#shared/days.ts'
import type { Site } from '#shared/site.ts'

/** Number of prices of a market shown to visitors; the others need an account. */
const publicPrices = 10
const mostRead = 100
const othersShown = 6

/** The public pages that are the same for every visitor. */
export function landingPages(db: Db, overview: OverviewSource, site: Site): SharedPage[] {
  const text = (path: string, view: string): SharedPage => ({
    path,
    load: async () => ({ view, props: { site, isDemonstration: (await overview()).isDemonstration } }),
  })
  return [
    {
      path: '/',
      load: async () => ({ view: 'home', props: { figures: await overview(), site } }),
    },
    {
      path: '/marches',
      load: async () => {
        const { markets, isDemonstration } = await overview()
        return { view: 'public-markets', props: { markets, site, isDemonstration } }
      },
    },
    {
      path: '/marches/:id',
      load: async ({ id }) => {
        const { markets, latest: table, isDemonstration, madeAt } = await overview()
        // The overview only has the markets of the map.
        const market =
          markets.find((each) => String(each.id) === id) ??
          (/^[1-9]\d{0,8}$/.test(id ?? '') ? await findCoveredMarket(db, Number(id)) : undefined)
        if (!market) return null
        const latest = { page: 1, limit: mostRead, sort: '-observedOn' } as const
        const { rows, total } = await listPricesInMarket(db, market.id, latest)
        const prices = mostSoldFirst(rows, table).slice(0, publicPrices)
        const others = othersOf(market, markets)
        const freshFrom = addDays(dayInKinshasa(madeAt), -30)
        return {
          view: 'public-market',
          props: { market, prices, freshFrom, total, others, site, isDemonstration },
        }
      },
    },
    text('/methode', 'method'),
    text('/mentions-legales', 'legal-notice'),
    text('/confidentialite', 'privacy'),
    text('/conditions', 'terms'),
  ]
}

/** Sorts products sold in most markets first, then the latest prices. */
function mostSoldFirst(rows: readonly PriceInMarket[], table: PublicFigures['latest']): PriceInMarket[] {
  const rank = ({ product }: PriceInMarket) => {
    const place = table.rows.findIndex((row) => row.product.id === product.id)
    return place < 0 ? table.rows.length : place
  }
  return rows.toSorted((a, b) => rank(a) - rank(b))
}

/** Sorts markets of the same town first, then of the same province, then by number of prices. */
function othersOf(market: CoveredMarket, markets: readonly CoveredMarket[]): CoveredMarket[] {
  const distance = ({ location, province }: CoveredMarket) =>
    location === market.location ? 0 : province === market.province ? 1 : 2
  return markets
    .filter(({ id }) => id !== market.id)
    .toSorted((a, b) => distance(a) - distance(b))
    .slice(0, othersShown)
}
