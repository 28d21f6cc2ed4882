import { countCollected, listActiveMarkets } from '#features/figures/activity/activity.sql.ts'
import type { PriceFilter } from '#features/figures/filters/filters.contract.ts'
import type { SignedPart } from '#features/figures/parts/parts.rules.ts'
import { estimateBeyondBudget, findPartsOfFigures } from '#features/figures/parts/parts.sql.ts'
import type { PriceSummary } from '#features/figures/summary/summary.contract.ts'
import { readTogether } from '#features/figures/summary/summary.sql.ts'
import { listSubscriptionGrowth } from '#features/statistics/growth.sql.ts'
import { listCategoryShelves, rankBrands } from '#features/statistics/shelves.sql.ts'
import {
  getBrandRanking,
  getCategoryDistribution,
  getMarketActivity,
  getOverview,
  getPriceTrends,
  getSubscriptionGrowth,
  type Overview,
} from '#features/statistics/statistics.contract.ts'
import { comparedDaysOf, countChange, withDays } from '#features/statistics/statistics.rules.ts'
import { countCatalogue } from '#features/statistics/statistics.sql.ts'
import type { Db } from '#server/db/pool.ts'
import type { Api } from '#server/http/endpoint.ts'

const isEstimate = true as const

/** The dependencies of statistics: the computation of figures of a selection, and today's date in Kinshasa. */
export type Sources = {
  summarise: (
    snapshot: Db,
    filter: PriceFilter,
    today: string,
    parts?: readonly SignedPart[],
  ) => Promise<PriceSummary>
  /** `yyyy-mm-dd` */
  today: () => string
}

export function statisticsRoutes(api: Api, db: Db, { summarise, today }: Sources): void {
  api.on(getOverview, ({ query }) =>
    readTogether(db, async (snapshot) => {
      const asked = withDays(query, today())
      return readOverview(snapshot, asked, await findCounted(snapshot, asked), today())
    }),
  )

  api.on(getMarketActivity, async ({ query }) => {
    const asked = withDays(query, today())
    const { parts } = await findCounted(db, asked)
    if (!parts) return { data: [], isEstimate }
    return { data: await readActiveMarkets(db, asked, parts, today()) }
  })

  api.on(getPriceTrends, async ({ query }) => {
    const summary = await readTogether(db, (snapshot) =>
      summarise(snapshot, withDays(query, today()), today()),
    )
    const { dailyPrices, priceTrend, inflation, currency, change, totalPrices, excluded } = summary
    const figures = {
      data: dailyPrices,
      trend: priceTrend,
      inflation,
      currency,
      change,
      totalPrices,
      excluded,
    }
    return summary.isEstimate ? { ...figures, isEstimate } : figures
  })

  api.on(getCategoryDistribution, async ({ query }) => {
    const asked = withDays(query, today())
    const { parts } = await findCounted(db, asked)
    return { data: await listCategoryShelves(db, asked, parts) }
  })

  api.on(getBrandRanking, async ({ query }) => {
    const asked = withDays(query, today())
    const { parts } = await findCounted(db, asked)
    return rankBrands(db, asked, parts)
  })

  api.on(getSubscriptionGrowth, async ({ query: { period, ...days } }) => ({
    data: await listSubscriptionGrowth(db, period, days, today()),
  }))
}

/**
 * The parts of a selection to count; or an estimate of the number of prices, if there are more than a request may read.
 */
export type Counted = { parts: SignedPart[]; estimate: null } | { parts: null; estimate: number }

export async function findCounted(db: Db, filter: PriceFilter): Promise<Counted> {
  const parts = await findPartsOfFigures(db, filter)
  const estimate = await estimateBeyondBudget(db, parts)
  return estimate === null ? { parts, estimate } : { parts: null, estimate }
}

/** Returns the counts of a selection, and how they changed over its days. */
export async function readOverview(
  db: Db,
  asked: PriceFilter,
  { parts, estimate }: Counted,
  today: string,
): Promise<Overview> {
  const days = comparedDaysOf(asked, today)
  const collected = parts && (await countCollected(db, parts, days?.previous ?? null))
  const { products, markets, users, categories, brands, productTypes } = await countCatalogue(db, asked)
  const grown = ({ total, before, added }: { total: number; before: number; added: number }) => ({
    total,
    ...countChange(before + added, days && before),
  })
  return {
    prices: collected
      ? {
          total: collected.now,
          ...countChange(collected.now, collected.before),
          lastCollectedAt: collected.lastCollectedAt,
        }
      : { total: estimate ?? 0, ...countChange(0, null), lastCollectedAt: null, isEstimate },
    products: grown(products),
    markets: grown(markets),
    users: grown(users),
    categories: { total: categories },
    brands: { total: brands },
    productTypes: { total: productTypes },
    days,
  }
}

/** Returns the markets with most prices in a selection, given its parts, and how their counts changed. */
export async function readActiveMarkets(
  db: Db,
  asked: PriceFilter & { limit: number },
  parts: readonly SignedPart[],
  today: string,
) {
  const markets = await listActiveMarkets(
    db,
    parts,
    comparedDaysOf(asked, today)?.previous ?? null,
    asked.limit,
  )
  return markets.map(({ before, ...market }) => ({ ...market, ...countChange(market.count, before) }))
}
